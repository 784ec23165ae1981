// A motion with sliders in a notebook: the page of a run in a frame of its own, which can neither see nor disturb the notebook.
function slider(model, { name, unit, low, high }) {
  const label = document.createElement("label"), input = document.createElement("input"), value = document.createElement("output");
  label.className = "chainlist-knob";
  label.style.cssText = "display:flex;gap:.6em;align-items:center;max-width:32em";
  Object.assign(input, { type: "range", min: low, max: high, step: (high - low) / 200, value: model.get("values")[name] });
  input.style.flex = "1";
  input.setAttribute("aria-label", name);
  const show = () => (value.textContent = `${Number(Number(input.value).toPrecision(6))} ${unit}`);
  input.addEventListener("input", show);
  input.addEventListener("change", () => {
    model.set("values", { ...model.get("values"), [name]: Number(input.value) });
    model.save_changes();
  });
  show();
  label.append(name, input, value);
  return label;
}

function render({ model, el }) {
  const knobs = document.createElement("div"), problem = document.createElement("pre"), frame = document.createElement("iframe");
  knobs.append(...model.get("sliders").map((knob) => slider(model, knob)));
  problem.className = "chainlist-problem";
  problem.setAttribute("role", "status");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "chainlist";
  frame.style.cssText = `width:100%;height:${model.get("height")}px;border:1px solid #8884;border-radius:8px;background:#fff`;
  const showPage = () => (frame.srcdoc = model.get("page"));
  const showProblem = () => {
    problem.textContent = model.get("problem");
    problem.hidden = !problem.textContent;
    frame.style.opacity = problem.hidden ? 1 : 0.4; // what is shown is of earlier values
  };
  model.on("change:page", showPage);
  model.on("change:problem", showProblem);
  showPage();
  showProblem();
  el.append(knobs, problem, frame);
}

export default { render };
