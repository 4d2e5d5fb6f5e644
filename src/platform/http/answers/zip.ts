import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile as Archive } from 'yazl'

/** A file of an archive: its bytes in one piece, or texts that are made in turn and compressed. */
export type ZipFile = { name: string } & ({ bytes: () => Uint8Array | undefined } | { texts: Iterable<string> })

const PIECE = 64 * 1024
/** Midnight of the first day of the format, so that the archive is the same whenever it is made. */
const DATE = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  // copies, since a view that waits in a socket would keep the whole file
  for (let at = 0; at < bytes.byteLength; at += PIECE) yield bytes.slice(at, at + PIECE)
}

/** Lets other requests run between two pieces, whose checksums are computed in JavaScript. */
async function* inTurns(pieces: Iterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await Bun.sleep(0)
  }
}

/** Adds the files in turn: the next is read when the last one was sent. */
async function fill(archive: Archive, files: Iterable<ZipFile>): Promise<void> {
  const add = async (name: string, pieces: Iterable<string | Uint8Array>, compress: boolean) => {
    const source = Readable.from(inTurns(pieces))
    archive.addReadStream(source, name, { ...DATE, compress })
    await once(source, 'end')
  }
  for (const file of files) {
    if ('texts' in file) await add(file.name, file.texts, true)
    else {
      const bytes = file.bytes()
      if (bytes) await add(file.name, splitBytes(bytes), false)
    }
  }
  archive.end()
}

/**
 * Yields a ZIP archive, made piece by piece while it is read: one file is in memory, and a little of texts. A file
 * without bytes is left out.
 */
export async function* zip(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const archive = new Archive()
  const output = new PassThrough()
  archive.outputStream.pipe(output)
  fill(archive, files).catch((error: unknown) => output.destroy(error instanceof Error ? error : undefined))
  for await (const piece of output) {
    const bytes: Uint8Array = piece
    yield bytes
  }
}
