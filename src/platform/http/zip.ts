import { once } from 'node:events'
import { createDeflateRaw } from 'node:zlib'

/** A file of an archive: its bytes as one piece, or as texts that are made one after the other and packed. */
export type ZipFile = { name: string } & ({ bytes: () => Uint8Array | undefined } | { texts: Iterable<string> })

type Entry = {
  name: Uint8Array
  offset: number
  crc: number
  packed: number
  size: number
  method: 0 | 8
  flags: number
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const DESCRIPTOR = 0x08074b50
const END = 0x06054b50
const DEFLATED = 8
/** Names are UTF-8. */
const UTF8 = 0x800
/** Sizes come after the bytes. */
const AFTER = 0x8
const PIECE = 64 * 1024
/** The format without its 64-bit extension reaches this far. */
const MOST = 0xffff_ffff

const encoder = new TextEncoder()
/** 1 January 1980, midnight: the archive is the same whenever it is made. */
const DATE = 0x21

function record(length: number, write: (view: DataView) => void, ...tail: readonly Uint8Array[]): Uint8Array {
  const head = new Uint8Array(length)
  write(new DataView(head.buffer))
  return Buffer.concat([head, ...tail])
}

/** What both headers of a file have, in the same order, from `at` on. */
function describe(view: DataView, at: number, { name, crc, packed, size, method, flags }: Entry): void {
  view.setUint16(at, 20, true)
  view.setUint16(at + 2, flags, true)
  view.setUint16(at + 4, method, true)
  view.setUint16(at + 8, DATE, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, packed, true)
  view.setUint32(at + 18, size, true)
  view.setUint16(at + 22, name.byteLength, true)
}

const localHeader = (entry: Entry): Uint8Array =>
  record(
    30,
    (view) => {
      view.setUint32(0, LOCAL, true)
      describe(view, 4, entry)
    },
    entry.name,
  )

const descriptor = ({ crc, packed, size }: Entry): Uint8Array =>
  record(16, (view) => {
    view.setUint32(0, DESCRIPTOR, true)
    view.setUint32(4, crc, true)
    view.setUint32(8, packed, true)
    view.setUint32(12, size, true)
  })

const centralHeader = (entry: Entry): Uint8Array =>
  record(
    46,
    (view) => {
      view.setUint32(0, CENTRAL, true)
      view.setUint16(4, 20, true)
      describe(view, 6, entry)
      view.setUint32(42, entry.offset, true)
    },
    entry.name,
  )

const endRecord = (count: number, length: number, offset: number): Uint8Array =>
  record(22, (view) => {
    view.setUint32(0, END, true)
    view.setUint16(8, count, true)
    view.setUint16(10, count, true)
    view.setUint32(12, length, true)
    view.setUint32(16, offset, true)
  })

/** Packs texts as they come; fills in what the entry could not know before. */
async function* packed(texts: Iterable<string>, entry: Entry): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw()
  const feed = async (): Promise<void> => {
    for (const text of texts) {
      const bytes = encoder.encode(text)
      entry.crc = Bun.hash.crc32(bytes, entry.crc)
      entry.size += bytes.byteLength
      if (!deflate.write(bytes)) await once(deflate, 'drain')
      // others are served between two pieces
      await Bun.sleep(0)
    }
    deflate.end()
  }
  const fed = feed().catch((error: unknown) => void deflate.destroy(error instanceof Error ? error : undefined))
  for await (const piece of deflate) {
    const bytes: Uint8Array = piece
    entry.packed += bytes.byteLength
    yield bytes
  }
  await fed
}

/**
 * A ZIP archive, made piece by piece: one file is held at a time, and of texts a little. A file whose bytes are gone is
 * left out. Throws where it would be larger than 4 GiB or have more than 65,535 files.
 */
export async function* zip(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = []
  let offset = 0
  const sent = (bytes: Uint8Array): Uint8Array => {
    offset += bytes.byteLength
    if (offset > MOST || entries.length > 0xffff) throw new RangeError('the archive is too large')
    return bytes
  }
  for (const file of files) {
    const head = { name: encoder.encode(file.name), offset, crc: 0, packed: 0, size: 0 }
    if ('texts' in file) {
      const entry: Entry = { ...head, method: DEFLATED, flags: UTF8 | AFTER }
      entries.push(entry)
      yield sent(localHeader(entry))
      for await (const piece of packed(file.texts, entry)) yield sent(piece)
      yield sent(descriptor(entry))
      continue
    }
    const bytes = file.bytes()
    if (!bytes) continue
    const size = bytes.byteLength
    const entry: Entry = { ...head, crc: Bun.hash.crc32(bytes), packed: size, size, method: 0, flags: UTF8 }
    entries.push(entry)
    yield sent(localHeader(entry))
    // copies: a view that waits in a socket would hold the whole file
    for (let at = 0; at < size; at += PIECE) yield sent(bytes.slice(at, at + PIECE))
  }
  const start = offset
  for (const entry of entries) yield sent(centralHeader(entry))
  yield endRecord(entries.length, offset - start, start)
}
