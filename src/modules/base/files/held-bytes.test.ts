import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createPublicFileCache } from './public-file-cache.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const IHDR_END = 33

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const upload = async (bytes: Uint8Array<ArrayBuffer>, contentType = 'image/png'): Promise<string> => {
  const as = firm.as.admin
  const body = { contentType, fileSize: bytes.length }
  const { key, uploadUrl } = (await app.call('POST', '/v1/tenants/current/logo-upload', { as, body })).body
  const put = await app.call('PUT', uploadUrl, { raw: bytes, headers: { 'content-type': contentType } })
  expect(put.status).toBe(204)
  return key
}
const confirm = (key: string) =>
  app.call('POST', '/v1/tenants/current/logo-confirm', { as: firm.as.admin, body: { key } })

test('content of another type is not kept, and confirming it again and again reads no bytes', async () => {
  const zip = new Uint8Array(500_000)
  zip.set([0x50, 0x4b, 3, 4, 0x14, 0, 8, 0])
  for (let at = 31; at + 5 < zip.length; at += 5) zip.set([0x50, 0x4b, 7, 0x50, 0x4b], at)
  const key = await upload(zip)
  expect(app.platform.blobs.get(firm.tenantId, key)).toBeUndefined()
  const opened = spyOn(app.platform.blobs, 'get')
  for (let n = 0; n < 3; n += 1) {
    const answer = await confirm(key)
    expect([answer.status, answer.body.code]).toEqual([422, 'files.wrong_content'])
  }
  expect((await confirm(await upload(new Uint8Array(PNG)))).status).toBe(200)
  expect(opened).toHaveBeenCalledTimes(0)
  opened.mockRestore()
})

test('a picture with a large profile before its pixels is accepted as a picture', async () => {
  const length = 200_000
  const profile = Buffer.alloc(length + 12)
  profile.writeUInt32BE(length, 0)
  profile.write('iCCP', 4, 'latin1')
  const bytes = Buffer.concat([PNG.subarray(0, IHDR_END), profile, PNG.subarray(IHDR_END)])
  expect((await confirm(await upload(new Uint8Array(bytes)))).status).toBe(200)
})

test('a public file is read once, however many requests ask for it', async () => {
  const key = await upload(new Uint8Array(PNG))
  await confirm(key)
  const opened = spyOn(app.platform.blobs, 'get')
  const texts = await Promise.all(Array.from({ length: 20 }, () => app.call('GET', `/v1/files/${key}`)))
  expect(new Set(texts.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set([`200 ${new TextDecoder().decode(PNG)}`]),
  )
  expect(opened).toHaveBeenCalledTimes(1)
  opened.mockRestore()
})

test('a large public file is sent in pieces and arrives whole', async () => {
  const bytes = new Uint8Array(300_000).map((_, index) => index % 251)
  bytes.set(PNG.subarray(0, IHDR_END))
  const key = await upload(bytes)
  const { status } = await confirm(key)
  const response = await app.send(new Request(`http://localhost/v1/files/${key}`, { headers: { host: 'localhost' } }))
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  expect([status, response.status, pieces.length]).toEqual([200, 200, 5])
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
})

test('the memory of public files is bounded; the least recently used file goes first', () => {
  const shelf = createPublicFileCache(100)
  const opened: string[] = []
  const take = (key: string, size = 40) =>
    shelf.take(key, () => {
      opened.push(key)
      return new Uint8Array(size)
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(take(key)?.length).toBe(40)
  expect(opened).toEqual(['a', 'b', 'c', 'b'])
  expect(take('large', 101)?.length).toBe(101)
  expect(shelf.take('absent', () => undefined)).toBeUndefined()
  expect(shelf.size()).toBe(80)
})
