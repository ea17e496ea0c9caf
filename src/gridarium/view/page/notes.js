// What a page tells about itself: errors, notices, and whether the server is there.

class Notes {
  // `retry()` when somebody does not want to wait for the next attempt.
  constructor(retry) {
    part("dismiss").addEventListener("click", () => this.complain(""));
    part("noticed").addEventListener("click", () => this.notice(""));
    part("retry").addEventListener("click", retry);
  }

  complain(text) {
    part("error-text").textContent = text;
    part("error").hidden = !text;
  }

  notice(text) {
    part("notice-text").textContent = text;
    part("notice").hidden = !text;
  }

  // The connection is there, or lost: milliseconds until the next attempt, why, and the command that starts the server.
  connected(yes, wait, why, command) {
    document.body.classList.toggle("lost", !yes);
    part("lost").hidden = yes;
    clearInterval(this.countdown);
    if (yes) return;
    const again = Date.now() + wait;
    const say = () => {
      const seconds = Math.max(0, Math.ceil((again - Date.now()) / 1000));
      part("lost-wait").textContent = ` Next attempt in ${seconds} s.`;
    };
    part("lost-text").textContent = why ? `The server says: ${why}.`
      : `The server does not answer. If it was stopped, start it again${command ? ` with \u201c${command}\u201d` : ""}: ` +
        "this page then goes on by itself.";
    say();
    this.countdown = setInterval(say, 500);
  }
}
