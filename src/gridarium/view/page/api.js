// Shows openapi.json as a page.
"use strict";

function made(kind, text = "", className = "") {
  const element = document.createElement(kind);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

// What a schema says, in a line.
function shape(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(shape).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${shape(schema.items ?? {})}`;
  return schema.type ?? "anything";
}

function table(rows) {
  const list = made("table");
  for (const cells of rows) {
    const row = list.insertRow();
    for (const text of cells) row.insertCell().textContent = text;
  }
  return list;
}

function fields(schema) {
  return table(Object.entries(schema.properties ?? {}).map(([name, field]) => [
    schema.required?.includes(name) ? name : `${name} (optional)`, shape(field), field.description ?? "",
  ]));
}

async function show() {
  const described = await (await fetch("/openapi.json")).json();
  part("title").textContent = described.info.title;
  part("about").textContent = described.info.description;
  const sections = Object.entries(described.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => {
    const section = made("section");
    section.append(made("h2", `${method.toUpperCase()} ${path}`), made("p", operation.summary, "mission"));
    const body = operation.requestBody?.content["application/json"].schema;
    if (body) section.append(made("p", `Takes ${shape(body)}.`));
    section.append(table(Object.entries(operation.responses).map(([code, response]) => [code, shape(response.content["application/json"].schema), response.description])));
    return section;
  }));
  const schemas = Object.entries(described.components.schemas).map(([name, schema]) => {
    const section = made("section");
    section.append(made("h2", name), made("p", schema.description ?? "", "mission"), fields(schema));
    return section;
  });
  part("endpoints").replaceChildren(...sections, ...schemas);
}

new Appearance(part("appearance"), () => {});
show();
