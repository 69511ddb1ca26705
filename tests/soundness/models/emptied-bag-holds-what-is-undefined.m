-- an entry is read that was added, undefined, to a bag that had been emptied
-- S is not symmetric
type S: scalarset(2); R: record f: boolean; end;
var b: multiset[2] of R; t: S; x: array[S] of boolean;
ruleset s: S do startstate var r: R; begin
  t := s; for p: S do x[p] := false; end; undefine b; r.f := true; multisetadd(r, b);
end; end;
choose i: b do rule "r" var r: R; begin
  alias e: b[i] do
    clear b; undefine r; multisetadd(r, b);
    for p: S do
      if t = p then x[p] := !e.f; end;
      if t != p then cover true "c"; end;
    end;
  end;
end; end;
