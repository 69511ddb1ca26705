-- a record is filled by a procedure in each turn and copied whole
-- S is not symmetric
type S: enum {A, B, C}; R: record w: S; end;
var r: R;
procedure get(s: S; var o: R); begin o.w := s; end;
ruleset s: S do startstate r.w := s; end; end;
rule "last" var lo: R; begin for i: S do get(i, lo); r := lo; end; end;
