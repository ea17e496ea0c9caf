// Light or dark: as the system has it, or as chosen with a button.

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function remembered(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* a page that may not store anything forgets */ }
}

class Appearance {
  constructor(button, changed) {
    this.chosen = remembered("gridarium-theme");
    this.button = button;
    this.changed = changed;
    button.addEventListener("click", () => {
      this.chosen = this.theme === "dark" ? "light" : "dark";
      remember("gridarium-theme", this.chosen);
      this.apply();
    });
    darkSystem.addEventListener("change", () => this.apply());
    this.apply();
  }

  get theme() {
    return this.chosen === "dark" || (this.chosen !== "light" && darkSystem.matches) ? "dark" : "light";
  }

  apply() {
    document.documentElement.dataset.theme = this.theme;
    this.button.textContent = this.theme === "dark" ? "Light" : "Dark";
    this.changed(this.theme);
  }
}
