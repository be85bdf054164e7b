// Draws images/icon.png: three rows of a history, the last one new, on a dark ground. No library, no font.
import { mkdirSync, writeFileSync } from "node:fs";
import { crc32 as zlibCrc, deflateSync } from "node:zlib";

const SIZE = 128;
const FINE = 4; // samples a pixel and side

const SHAPES = [
  { colour: [31, 35, 40], rect: [4, 4, 124, 124], radius: 22 },
  { colour: [139, 148, 158], rect: [22, 28, 62, 48], radius: 5 },
  { colour: [210, 153, 34], rect: [44, 54, 82, 74], radius: 5 },
  { colour: [63, 185, 80], rect: [82, 80, 106, 100], radius: 5 },
  { colour: [63, 185, 80], circle: [82, 36, 7] },
];

function inside(shape, x, y) {
  if (shape.circle) {
    const [cx, cy, r] = shape.circle;
    return (x - cx) ** 2 + (y - cy) ** 2 <= r * r;
  }
  const [left, top, right, bottom] = shape.rect;
  const r = shape.radius;
  const dx = Math.max(left + r - x, 0, x - (right - r));
  const dy = Math.max(top + r - y, 0, y - (bottom - r));
  return x >= left && x <= right && y >= top && y <= bottom && dx * dx + dy * dy <= r * r;
}

function pixel(px, py) {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < FINE * FINE; i++) {
    const x = px + ((i % FINE) + 0.5) / FINE;
    const y = py + (Math.floor(i / FINE) + 0.5) / FINE;
    const top = SHAPES.findLast((shape) => inside(shape, x, y));
    if (top) {
      top.colour.forEach((value, channel) => (sum[channel] += value));
      sum[3] += 1;
    }
  }
  const [r, g, b, count] = sum;
  return count === 0 ? [0, 0, 0, 0] : [r / count, g / count, b / count, (255 * count) / (FINE * FINE)].map(Math.round);
}

function crc(bytes) {
  if (zlibCrc) {
    return zlibCrc(bytes);
  }
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
  }
  return ~value >>> 0;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc(body), body.length + 4);
  return frame;
}

const rows = Array.from({ length: SIZE }, (_, y) =>
  Buffer.from([0, ...Array.from({ length: SIZE }, (_, x) => pixel(x, y)).flat()]),
);
const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8);
mkdirSync("images", { recursive: true });
writeFileSync(
  "images/icon.png",
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]),
);
