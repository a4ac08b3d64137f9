"""The look of an artifact's page, in daylight and in the dark."""

from __future__ import annotations

STYLE = """
:root{--paper:#fbfaf7;--ink:#22211e;--soft:#6b675e;--line:#dcd8cd;--card:#fff;--product:#2f6f5e;--assess:#8a5a1c;
--mark:#fff1c9;--warn:#9c3d1d}
@media (prefers-color-scheme:dark){:root{--paper:#1b1b1d;--ink:#e7e4dc;--soft:#a09b90;--line:#3a393b;--card:#242427;
--product:#7fc8b2;--assess:#e0b271;--mark:#4a3f1d;--warn:#f0a184}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.65 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:76rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;margin:0 0 .5rem}h1 code{font-size:.9rem;color:var(--soft);font-weight:400}
h2{font-size:1rem;margin:1.5rem 0 .5rem;color:var(--soft)}
h3{font-size:1.05rem;margin:0 0 .5rem}h4{font-size:1rem;margin:0 0 .4rem}
p,dd,li,td,pre,h1,h3,h4{overflow-wrap:anywhere}
.brief{font-size:1.1rem;margin:.25rem 0 .75rem}
.prose{white-space:pre-wrap;margin:0}
ul,ol{margin:.2rem 0;padding-left:1.3rem}
dl{display:grid;grid-template-columns:minmax(4.5rem,max-content) 1fr;gap:.25rem .9rem;margin:0}
dt{color:var(--soft)}dd{margin:0}
.facts{margin:.75rem 0}
.pills{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:.4rem 0}
.pills li,.pill{border:1px solid var(--line);border-radius:1rem;padding:0 .65rem;font-size:.88rem;background:var(--card)}
.pill{margin-left:.5rem;font-weight:400;color:var(--soft)}
.score{border-color:var(--product)!important;color:var(--product)}
.sides{display:grid;gap:1.5rem;align-items:start}
@media (min-width:60rem){.sides.two{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
.side>h2{border-bottom:2px solid currentColor}
.product>h2{color:var(--product)}.assessment>h2{color:var(--assess)}
.group{margin:0 0 1.25rem}
.cards{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr))}
.card,.questions{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;min-width:0}
.questions{margin-top:1.5rem}.questions h2{margin-top:0}
.table{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.94rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line);white-space:pre-wrap}
th{color:var(--soft);font-weight:600}
.marked td{background:var(--mark);font-weight:600}
.help{color:var(--soft);font-size:.92rem;margin:0}
.reason{color:var(--warn);font-weight:600}
section.notes li{color:var(--warn)}section.notes .help,section.notes code{color:var(--soft)}
details{margin:1rem 0;border-top:1px solid var(--line);padding-top:.5rem}
summary{cursor:pointer;color:var(--soft)}
pre{white-space:pre-wrap;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.8rem;
font:.88rem/1.55 ui-monospace,"Cascadia Mono","Sarasa Mono SC",Menlo,Consolas,monospace}
@media print{body{background:#fff;color:#000}details{display:none}}
"""
