// What happened in the last tick, in words and numbers.

function plainNumber(number) {
  if (number === null || number === undefined) return "–";
  const digits = Math.abs(number) < 1e6 ? number.toFixed(4) : number.toPrecision(6);
  const rounded = Number.isInteger(number) ? number : Number(digits);
  return String(Object.is(rounded, -0) ? 0 : rounded).replace("-", "−");
}

function wordsOf(header, name) {
  return (header.asking && header.asking[name]) ?? header.words[header.actions.indexOf(name)];
}

// Players without a body are nowhere on the board.
function hasBody(agent) {
  return agent.body !== false;
}

function resultText(header, code) {
  return header.results[code] ?? `Result ${code}.`;
}

function endText(scene) {
  if (scene.terminated.every(Boolean)) return "The episode is over.";
  return scene.truncated ? "Time is up: the episode is over." : "";
}

class Status {
  constructor(host, header) {
    this.header = header;
    this.host = host;
  }

  show(scene, symbols) {
    const { header } = this;
    const did = (i) => (scene.did ? scene.did[i] : header.words[scene.actions[i]]);
    const acted = (i) => scene.actions && !(scene.waited || []).includes(i);
    const each = (cell) => scene.agents.map((agent, i) => cell(i, agent));
    const rows = [
      ["Last action", each((i) => (acted(i) ? did(i) : "–"))],
      ["Result", each((i) => (acted(i) ? resultText(header, scene.results[i]) : "–"))],
      ["Reward", each((i) => plainNumber(scene.rewards && scene.rewards[i]))],
      ["Return", each((i) => plainNumber(scene.returns[i]))],
    ];
    if (header.agents.some(hasBody)) rows.push(["Holds", each((i, agent) => (agent[3] < 0 ? "nothing" : symbols[agent[3]].name))]);
    const [world, ...own] = scene.fields || [{}];
    for (const name of Object.keys(own[0] || {})) rows.push([name, own.map((fields) => fieldText(fields[name]))]);
    const table = document.createElement("table");
    const longest = Math.max(...rows.flatMap(([name]) => name.split(" ").map((word) => word.length)));
    const names = document.createElement("colgroup"); // wide enough for whole words, as the other columns are
    names.style.width = `calc(${0.6 * longest}em + 1rem)`;
    table.style.minWidth = `calc(${6.2 * header.agents.length}em + ${names.style.width})`;
    table.append(names);
    if (header.agents.length > 1) {
      table.className = "several";
      const head = table.createTHead().insertRow();
      head.append(cellOf("td", ""), ...each((i, agent) => {
        const name = cellOf("th", header.agents[i].name + (agent[4] ? "" : " (gone)"));
        name.scope = "col";
        if (hasBody(header.agents[i])) name.style.color = header.agents[i].color;
        return name;
      }));
    }
    const body = table.createTBody();
    for (const [name, cells] of rows) {
      const row = body.insertRow();
      const label = cellOf("th", name);
      label.scope = "row";
      row.append(label, ...cells.map((text) => cellOf("td", text)));
    }
    const clock = document.createElement("p");
    clock.className = "clock";
    const numbers = Object.entries(world).map(([name, value]) => `${name} ${fieldText(value)}`);
    clock.textContent = [`Tick ${scene.tick}`, ...numbers].join(" · ");
    const mission = document.createElement("p");
    mission.className = "mission";
    mission.textContent = scene.mission ? `Mission: ${scene.mission}` : "";
    mission.hidden = !scene.mission;
    const end = document.createElement("p");
    end.className = "end";
    end.textContent = [endText(scene), scene.text].filter(Boolean).join(" ");
    const scrolled = document.createElement("div");
    scrolled.className = "scrolled";
    scrolled.append(table);
    this.host.replaceChildren(mission, clock, scrolled, end);
  }
}

function fieldText(value) {
  if (Array.isArray(value)) return value.map(fieldText).join(", ");
  return typeof value === "number" ? plainNumber(value) : String(value);
}

function cellOf(kind, text) {
  const cell = document.createElement(kind);
  cell.textContent = text;
  return cell;
}
