-- a function under multisetcount changes the state: entries stand in the order of elements
-- S is not symmetric
type S: scalarset(2); R: record w: S; v: boolean; end;
var net: multiset[2] of R; y: S;
function told(o: R): boolean; begin y := o.w; return o.v; end;
ruleset s: S do startstate var o: R; begin
  for i: S do o.w := i; o.v := false; multisetadd(o, net); end; y := s;
end; end;
rule "count" if multisetcount(e: net, told(net[e])) > 0 then clear net; end; end;
