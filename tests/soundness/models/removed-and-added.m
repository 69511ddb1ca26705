-- an entry that is added stands where another one was
-- S is not symmetric
type S: scalarset(2); R: record w: S; v: boolean; end;
var net: multiset[2] of R; y: S;
ruleset s: S do startstate var o: R; begin
  for i: S do o.w := i; o.v := false; multisetadd(o, net); end; y := s;
end; end;
choose e: net do choose f: net do rule "swap" e != f ==> var o: R; begin
  alias kept: net[f] do
    o := net[e]; multisetremove(e, net); multisetremove(f, net); multisetadd(o, net); kept.v := true;
  end;
end; end; end;
invariant "cold" multisetcount(e: net, net[e].v) = 0;
