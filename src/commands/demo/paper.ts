import { deflateSync } from 'node:zlib'

/** The letters of the specimen's print, 5 × 7 dots each; a row is five bits. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  S: [14, 17, 16, 14, 1, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  E: [31, 16, 16, 30, 16, 16, 31],
  C: [14, 17, 16, 16, 16, 17, 14],
  I: [14, 4, 4, 4, 4, 4, 14],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
}
const WORD = 'SPECIMEN'
const WIDTH = 640
const HEIGHT = 400

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  let crc = 0xffffffff
  for (const byte of body) crc = ((crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)) >>> 0
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return Buffer.concat([head, body, tail])
}

type Colour = readonly [number, number, number]

/** Returns the colour of a dot: a card with room for a photograph, lines of print, and SPECIMEN across it. */
function dot(x: number, y: number, tint: Colour): Colour {
  const scale = 10
  const column = Math.floor((x - 60) / (scale * 6.6))
  const glyph = GLYPHS[WORD[column] ?? '']
  const row = Math.floor((y - 170) / scale)
  const bit = Math.floor((x - 60 - column * scale * 6.6) / scale)
  if (glyph && row >= 0 && row < 7 && bit >= 0 && bit < 5 && ((glyph[row] ?? 0) >> (4 - bit)) & 1) return [176, 58, 46]
  if (x < 8 || y < 8 || x >= WIDTH - 8 || y >= HEIGHT - 8 || y < 54) return tint
  if (x > 40 && x < 190 && y > 84 && y < 290) return [206, 212, 218]
  const line = (y - 90) % 34
  if (x > 220 && x < 600 - ((y * 7) % 120) && y > 84 && y < 290 && line >= 0 && line < 9) return [190, 196, 204]
  return [248, 249, 250]
}

/** Makes a picture of an invented identity card for the demo's review screen. */
export function specimenCard(tint: Colour): Uint8Array {
  const raw = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) raw.set(dot(x, y, tint), y * (1 + WIDTH * 3) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))]),
  )
}

/** Makes a one-page PDF that names itself a specimen. */
export function specimenPdf(title: string): Uint8Array {
  const text = `BT /F1 28 Tf 72 720 Td (SPECIMEN) Tj /F1 14 Tf 0 -40 Td (${title}) Tj 0 -24 Td (An invented paper of the demo brokerage.) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const start = body.length
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return new TextEncoder().encode(body)
}
