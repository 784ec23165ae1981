// The style sheet of player and plots, put into the document once.

const SHEET = `
.cl-player, .cl-plot { --ink:#1f2933; --muted:#66727f; --line:#d8dee4; --soft:#f1f4f7; --paper:#fff; --accent:#0b66b2; --on-accent:#fff;
  color:var(--ink); font:13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (prefers-color-scheme: dark) { .cl-player, .cl-plot { --ink:#e6ebf0; --muted:#98a4b0; --line:#343d46; --soft:#222930; --paper:#15191d; --accent:#5cb0ff; --on-accent:#0b1116; } }
[data-theme=light] :is(.cl-player, .cl-plot) { --ink:#1f2933; --muted:#66727f; --line:#d8dee4; --soft:#f1f4f7; --paper:#fff; --accent:#0b66b2; --on-accent:#fff; }
[data-theme=dark] :is(.cl-player, .cl-plot) { --ink:#e6ebf0; --muted:#98a4b0; --line:#343d46; --soft:#222930; --paper:#15191d; --accent:#5cb0ff; --on-accent:#0b1116; }
.cl-player { display:flex; flex-direction:column; height:100%; min-height:0; background:var(--paper); }
.cl-stage { position:relative; flex:1; min-height:0; }
.cl-stage canvas { position:absolute; inset:0; width:100%; height:100%; display:block; cursor:grab; border-radius:inherit; }
.cl-stage canvas:active { cursor:grabbing; }
.cl-stage canvas:focus-visible, .cl-plot canvas:focus-visible { outline:2px solid var(--accent); outline-offset:-2px; }
.cl-tip { position:absolute; pointer-events:none; padding:4px 8px; border:1px solid var(--line); border-radius:6px; background:var(--paper);
  font-size:12px; white-space:pre; font-variant-numeric:tabular-nums; box-shadow:0 2px 8px rgb(0 0 0 / .12); z-index:2; }
.cl-controls { padding:8px 14px 12px; border-top:1px solid var(--line); }
.cl-scrub { display:flex; align-items:center; gap:14px; }
.cl-clock { min-width:9.5em; text-align:right; font-variant-numeric:tabular-nums; color:var(--muted); white-space:nowrap; }
.cl-track { position:relative; flex:1; min-width:60px; display:flex; }
.cl-events { position:absolute; left:8px; width:calc(100% - 16px); bottom:1px; height:7px; overflow:visible; pointer-events:none; }
.cl-events path { stroke:var(--muted); stroke-width:1.2px; vector-effect:non-scaling-stroke; }
.cl-time { flex:1; min-width:60px; height:26px; margin:0; appearance:none; -webkit-appearance:none; background:transparent; cursor:pointer; }
.cl-time::-webkit-slider-runnable-track { height:4px; border-radius:2px; background:linear-gradient(to right, var(--accent) var(--done,0%), var(--line) var(--done,0%)); }
.cl-time::-moz-range-track { height:4px; border-radius:2px; background:linear-gradient(to right, var(--accent) var(--done,0%), var(--line) var(--done,0%)); }
.cl-time::-webkit-slider-thumb { -webkit-appearance:none; width:16px; height:16px; margin-top:-6px; border-radius:50%; background:var(--accent); border:2px solid var(--paper); }
.cl-time::-moz-range-thumb { width:13px; height:13px; border-radius:50%; background:var(--accent); border:2px solid var(--paper); }
.cl-buttons { display:flex; flex-wrap:wrap; align-items:center; gap:8px 14px; margin-top:4px; }
.cl-group { display:flex; align-items:center; gap:4px; }
.cl-toggles { flex-wrap:wrap; margin-left:auto; }
.cl-controls button, .cl-controls select { font:inherit; color:inherit; height:34px; border:1px solid transparent; border-radius:8px; background:transparent; cursor:pointer; }
.cl-controls button { display:inline-flex; align-items:center; gap:5px; padding:0 8px; }
.cl-controls button[hidden] { display:none; }
.cl-controls button:hover, .cl-controls select:hover { background:var(--soft); }
.cl-controls :is(button, select, input):focus-visible { outline:2px solid var(--accent); outline-offset:1px; }
.cl-controls .cl-play { background:var(--accent); color:var(--on-accent); padding:0 14px; }
.cl-controls .cl-play:hover { background:var(--accent); filter:brightness(1.08); }
.cl-controls select { border-color:var(--line); padding:0 6px; background:var(--paper); }
.cl-controls button[aria-pressed=true] { background:var(--soft); border-color:var(--line); color:var(--accent); }
.cl-controls button[aria-pressed=false] { color:var(--muted); }
.cl-hidden { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); }
.cl-player { container-type:inline-size; }
@container (max-width: 920px) { .cl-toggles :is([data-toggle=strobe], [data-toggle=names], [data-toggle=axes], [data-toggle=loop], [data-do=fit]) span { display:none; } }
@container (max-width: 740px) { .cl-toggles button span { display:none; } .cl-controls { padding:6px 10px 10px; } .cl-buttons { gap:6px 8px; } .cl-clock { min-width:8em; } }
@container (max-width: 430px) { .cl-toggles { margin-left:0; } }
.cl-plot { display:flex; flex-direction:column; min-width:0; height:100%; }
.cl-plot h3 { margin:0 0 2px; font-size:14px; font-weight:600; overflow-wrap:anywhere; }
.cl-legend { display:flex; flex-wrap:wrap; gap:0 12px; max-height:44px; overflow:auto; margin:0; padding:0; list-style:none; }
.cl-legend[hidden] { display:none; }
.cl-legend button { font:inherit; font-size:12px; color:var(--ink); background:none; border:0; border-radius:4px; padding:1px 2px; cursor:pointer; display:inline-flex; align-items:center; gap:5px; }
.cl-legend button:focus-visible { outline:2px solid var(--accent); }
.cl-legend button[aria-pressed=false] { color:var(--muted); text-decoration:line-through; }
.cl-legend i { width:14px; height:3px; border-radius:2px; }
.cl-difference { margin:0; font-size:12px; color:var(--ink); font-variant-numeric:tabular-nums; white-space:pre-wrap; }
.cl-difference[hidden] { display:none; }
.cl-plot .cl-axes { position:relative; flex:1; min-height:150px; }
.cl-plot canvas { position:absolute; inset:0; width:100%; height:100%; display:block; touch-action:pan-y; cursor:crosshair; }
.cl-axis { position:absolute; height:20px; padding:0 2px; border:0; border-radius:4px; background:none; color:var(--muted); font:11px/20px system-ui, sans-serif; text-align:right; cursor:pointer; }
.cl-axis[hidden] { display:none; }
.cl-axis:hover { background:color-mix(in srgb, var(--accent) 14%, transparent); color:var(--accent); }
.cl-axis:focus-visible { outline:2px solid var(--accent); }
.cl-axis-up { left:0; top:0; }
.cl-axis-across { right:-4px; bottom:0; }
.cl-plot canvas + canvas { background:transparent; }
.cl-finding + .cl-finding { margin-top:18px; }
.cl-finding dl { display:grid; grid-template-columns:minmax(8em, auto) 1fr; gap:3px 18px; margin:4px 0 0; white-space:pre-wrap; }
.cl-finding dt { opacity:.85; }
.cl-finding dd { margin:0; font-variant-numeric:tabular-nums; overflow-wrap:anywhere; }
.cl-pictures { display:grid; gap:14px; margin-top:10px; grid-template-columns:repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.cl-pictures:empty { display:none; }
@container (min-width: 640px) { .cl-finding:has(.cl-picture:only-child) { display:grid; grid-template-columns:minmax(16em, 2fr) 3fr; column-gap:24px; align-items:start; }
  .cl-finding:has(.cl-picture:only-child) > h2, .cl-finding:has(.cl-picture:only-child) > .cl-refused { grid-column:1 / -1; }
  .cl-finding:has(.cl-picture:only-child) > .cl-pictures { margin-top:-14px; grid-column:2; } }
.cl-picture { min-width:0; height:280px; max-width:760px; }
.cl-picture-heat { height:340px; }
.cl-picture-motion { display:flex; flex-direction:column; }
.cl-picture-motion h3 { margin:0 0 2px; font-size:14px; font-weight:600; }
.cl-picture-motion > div { flex:1; min-height:0; }
.cl-picture-motion .cl-controls { display:none; }
`;

export function useStyle() {
  if (document.getElementById("chainlist-style")) return;
  const style = document.createElement("style");
  style.id = "chainlist-style";
  style.textContent = SHEET;
  document.head.append(style);
}
