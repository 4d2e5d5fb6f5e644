import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { createEngineWords } from './engine-words.ts'

/** Reads these pieces of a stream; returns the failure in them, and the messages of the log. */
async function hear(...pieces: string[]) {
  const messages: string[] = []
  const words = createEngineWords(
    createLog({ level: 'debug', write: (line) => void messages.push(JSON.parse(line).msg) }),
  )
  const failure = await words(new Blob(pieces).stream())
  return { failure, messages }
}
const WARNING = '{"level":"WARN","msg":"disk"}\n'

test('the last failure that the engine prints counts, even without the end of its line', async () => {
  expect((await hear('Error: one\n', 'Error: two\n')).failure).toBe('two')
  expect((await hear('Error: one\nError: tw', 'o')).failure).toBe('two')
  expect((await hear('no Error: here\n')).failure).toBeUndefined()
})

test('a failure that the engine prints is cut after 500 characters', async () => {
  expect((await hear(`Error: ${'x'.repeat(2000)}\n`)).failure).toHaveLength(500)
})

test('warnings of the engine are logged once a minute, and its other lines with debug', async () => {
  const { messages } = await hear(WARNING, WARNING, '{"level":"INFO"}\n')
  expect(messages).toEqual(['the engine warns', 'the engine says'])
})

test('an engine that has nothing to compact yet is not logged as a warning', async () => {
  const { messages } = await hear('{"level":"ERROR","error":"maximum transaction id required"}\n')
  expect(messages).toEqual(['the engine says'])
})
