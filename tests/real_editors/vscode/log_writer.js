// Writes VS Code's logs in place of @vscode/spdlog, which is a compiled module: `.ci/editors` puts it there.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical"];
const METHODS = ["trace", "debug", "info", "warn", "error", "critical"];

class Logger {
  constructor(file) {
    this.file = file;
    this.level = LEVELS.indexOf("info");
    this.line = (level, message) => `${new Date().toISOString()} [${level}] ${message}\n`;
    METHODS.forEach((method, level) => {
      this[method] = (message) => {
        if (level >= this.level) appendFileSync(this.file, this.line(LEVELS[level], message));
      };
    });
    mkdirSync(dirname(file), { recursive: true });
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.line = (level, message) => message;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

exports.setFlushOn = () => {};
exports.createRotatingLogger = async (name, file) => new Logger(file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
