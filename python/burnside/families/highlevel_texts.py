"""Models of the Model Checking Contest that are longer to build than to read, as text of growing size; and one of our own
whose unfolding is hopeless.

In: a number. Out: a `HighLevelNet`. Sizes are written into the text: they change which elements are meant, not only how many
there are.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.diagnostics import Source
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages.hln import read_text

AIRPLANE = """
type Weight = enum {on, off}
type Speed = enum SPEEDS
type Altitude = enum ALTITUDES
type Signal = enum {T, F}

place stp5, stp4, stp3, stp2, stp1: dot = dot
place SpeedPossibleVal: Speed = all
place AltitudePossibleVal: Altitude = all
place WeightPossibleVal: Weight = all
place P5, P4, P3, P2, P6: dot
place P1: dot = dot
place Weight_Right_Wheel, Weight_Left_Wheel: Weight
place TheAltitude: Altitude
place Speed_Left_Wheel, Speed_Right_Wheel: Speed
place Plane_On_Ground_Signal_no: Signal

var S: Speed
var A: Altitude
var W: Weight

transition SpeedLW(S)
  in stp4
  test SpeedPossibleVal: S
  out Speed_Left_Wheel: S
transition SpeedRW(S)
  in stp5
  test SpeedPossibleVal: S
  out Speed_Right_Wheel: S
transition getAlt(A)
  in stp3
  test AltitudePossibleVal: A
  out TheAltitude: A
transition SampleRW(W)
  in stp2
  test WeightPossibleVal: W
  out Weight_Right_Wheel: W
transition SampleLW(W)
  in stp1
  test WeightPossibleVal: W
  out Weight_Left_Wheel: W

transition t5_2(S)
  in Speed_Right_Wheel: S, P5
  out P6, Plane_On_Ground_Signal_no: F
  guard S <= SLOW or S = SPEEDS
transition t5_1(S)
  in Speed_Right_Wheel: S, P5
  out P6, Plane_On_Ground_Signal_no: T
  guard Speed.SLOW < S and S != SPEEDS
transition t4_2(S)
  in Speed_Left_Wheel: S, P4
  out P5
  guard S <= SLOW or S = SPEEDS
transition t4_1(S)
  in Speed_Left_Wheel: S, P4
  out P6, Plane_On_Ground_Signal_no: T
  guard Speed.SLOW < S and S != SPEEDS
transition t3_2(A)
  in P3, TheAltitude: A
  out P4
  guard Altitude.LOW <= A or A = ALTITUDES
transition t3_1(A)
  in P3, TheAltitude: A
  out P6, Plane_On_Ground_Signal_no: T
  guard A < LOW and A != ALTITUDES
transition t2_2(W)
  in P2, Weight_Right_Wheel: W
  out P3
  guard W = off
transition t2_1(W)
  in P2, Weight_Right_Wheel: W
  out Plane_On_Ground_Signal_no: T, P6
  guard W = on
transition t1_2(W)
  in P1, Weight_Left_Wheel: W
  out P2
  guard W = off
transition t1_1(W)
  in P1, Weight_Left_Wheel: W
  out Plane_On_Ground_Signal_no: T, P6
  guard W = on
"""

LAMPORT = """
type Bool = enum {F, T}
type Pid = enum 0 .. LAST

place start: Pid = {(if p = 0 then 0 else 1)'p | p: Pid}
place x, y: Pid = 0
place b: struct(Pid, Bool) = {(if c.1 = 0 or c.2 = T then 0 else 1)'c | c: struct(Pid, Bool)}
place setx_3, setbi_5, ify0_4, sety_9, ifxi_10, setbi_11, fordo_12: Pid
place wait: struct(Pid, Pid)
place await_13: Pid
place done: struct(Pid, Pid)
place ifyi_15, awaity, CS_21, setbi_24: Pid

var i, j, v: Pid
var c: Bool

transition setbi_2(i, c)
  in start: i, b: <i, c>
  out setx_3: i, b: <i, T>
transition setx(i, v)
  in setx_3: i, x: v
  out ify0_4: i, x: i
transition yne0_4(i, v)
  in ify0_4: i
  test y: v
  out setbi_5: i
  guard v != 0
transition set_bi_5(i, c)
  in setbi_5: i, b: <i, c>
  out awaity: i, b: <i, F>
transition await_y(i)
  in awaity: i
  test y: 0
  out start: i
transition yeq0_4(i)
  in ify0_4: i
  test y: 0
  out sety_9: i
transition set_y_9(i, v)
  in sety_9: i, y: v
  out ifxi_10: i, y: i
transition xnei_10(i, v)
  in ifxi_10: i
  test x: v
  out setbi_11: i
  guard v != i
transition set_bi_11(i, c)
  in setbi_11: i, b: <i, c>
  out fordo_12: i, b: <i, F>
transition for_do_12(i)
  in fordo_12: i
  out await_13: i, wait: EACH
transition await(i, j)
  in wait: <i, j>
  test b: <j, F>, await_13: i
  out done: <i, j>
transition forod_13(i)
  in await_13: i, done: EACH
  out ifyi_15: i
transition ynei_15(i, v)
  in ifyi_15: i
  test y: v
  out awaity: i
  guard v != i
transition yeqi_15(i, v)
  in ifyi_15: i
  test y: v
  out CS_21: i
  guard v = i
transition xeqi_10(i, v)
  in ifxi_10: i
  test x: v
  out CS_21: i
  guard v = i
transition sety0_23(i, v)
  in CS_21: i, y: v
  out setbi_24: i, y: 0
transition set_bi_24(i, c)
  in setbi_24: i, b: <i, c>
  out start: i, b: <i, F>
"""

PETERSON = """
type Process = enum 0 .. LAST
type Tour = enum TOURS
type Bool = enum {F, T}

place Idle: Process = all
place WantSection: struct(Process, Bool) = {(if w.2 = F then 1 else 0)'w | w: struct(Process, Bool)}
place AskForSection: struct(Process, Tour)
place Turn: struct(Tour, Process) = {(if t.2 = 0 then 1 else 0)'t | t: struct(Tour, Process)}
place TestTurn: struct(Process, Tour)
place BeginLoop: struct(Process, Tour, Process)
place EndTurn: struct(Process, Tour)
place CS: Process
place TestIdentity, TestAlone, IsEndLoop: struct(Process, Tour, Process)

var i, k: Process
var j: Tour

transition Ask(i)
  in Idle: i, WantSection: <i, F>
  out WantSection: <i, T>, AskForSection: <i, 0>
transition UpdateTurn(i, k, j)
  in AskForSection: <i, j>, Turn: <j, k>
  out Turn: <j, i>, TestTurn: <i, j>
transition TurnEqual(i, j)
  in TestTurn: <i, j>
  test Turn: <j, i>
  out BeginLoop: <i, j, 0>
transition TurnDiff(i, k, j)
  in TestTurn: <i, j>
  test Turn: <j, k>
  out EndTurn: <i, j>
  guard i != k
transition AccessCS(i)
  in EndTurn: <i, LASTTOUR>
  out CS: i
transition ProgressTurn(i, j)
  in EndTurn: <i, j>
  out AskForSection: <i, succ(j)>
  guard j != LASTTOUR
transition BecomeIdle(i)
  in WantSection: <i, T>, CS: i
  out Idle: i, WantSection: <i, F>
transition ContinueLoop(i, k, j)
  in BeginLoop: <i, j, k>
  out TestIdentity: <i, j, k>
transition Identity(i, j)
  in TestIdentity: <i, j, i>
  out IsEndLoop: <i, j, i>
transition NoIdentity(i, k, j)
  in TestIdentity: <i, j, k>
  out TestAlone: <i, j, k>
  guard i != k
transition Loop(i, k, j)
  in IsEndLoop: <i, j, k>
  out BeginLoop: <i, j, succ(k)>
  guard k != LAST
transition NotAlone(i, k, j)
  in TestAlone: <i, j, k>
  test WantSection: <k, T>
  out TestTurn: <i, j>
transition Alone1(i, k, j)
  in TestAlone: <i, j, k>
  test WantSection: <k, F>
  out IsEndLoop: <i, j, k>
transition EndLoop(i, j)
  in IsEndLoop: <i, j, LAST>
  out EndTurn: <i, j>
"""

LOCKSTEP = """
type Place = cyclic COUNT

place a, b, c: Place = Place.1

var x, y, z: Place

transition step(x)
  in a: x, b: x, c: x
  out a: succ(x), b: succ(x), c: succ(x)

-- The three are always at one place, so this is never enabled; but each of them can be anywhere.
transition meet(x, y, z)
  in a: x, b: y, c: z
  guard x != y
"""


def airplane(count: int) -> HighLevelNet:
    """So many speeds, twice as many altitudes; half of each, and the last, are on the ground or high."""
    names = {"SPEEDS": count, "ALTITUDES": 2 * count, "SLOW": count // 2, "LOW": count}
    return _net("airplane", count, AIRPLANE, names)


def lamport(count: int) -> HighLevelNet:
    """So many processes; process 0 is nobody."""
    each = " + ".join(f"<i, {other}>" for other in range(1, count + 1))
    return _net("lamport", count, LAMPORT, {"LAST": count, "EACH": each})


def peterson(count: int) -> HighLevelNet:
    """One process more than tours."""
    tours = "{" + ", ".join(str(tour) for tour in range(count)) + "}"
    return _net("peterson", count, PETERSON, {"LASTTOUR": count - 1, "LAST": count, "TOURS": tours})


def lockstep(count: int) -> HighLevelNet:
    """About count^3 instances, of which count can happen, one in each of the count markings."""
    return _net("lockstep", count, LOCKSTEP, {"COUNT": count})


def _net(name: str, count: int, text: str, words: Mapping[str, object]) -> HighLevelNet:
    """`words`: those that contain others come first."""
    for word, meant in words.items():
        text = text.replace(word, str(meant))
    return read_text(Source(f"{name} {count}", text), name=f"{name} {count}")
