import { expect, test } from 'bun:test'
import { readFirstRecords } from './csv-heads.ts'
import { pickPreviewLines, readAs, readCsvFile } from './csv-text.ts'

const read = (...parts: BlobPart[]) => readCsvFile(new File(parts, 'clients.csv'))

test('a file is decoded by its letters, with a byte order mark or without', async () => {
  expect((await read('Müller,Łódź')).text).toBe('Müller,Łódź')
  expect((await read('\uFEFFName')).text).toBe('Name')
  expect((await read(Uint8Array.of(0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x2c, 0x80, 0x93, 0x94))).text).toBe(
    'Müller,€“”',
  )
})

test('a wrongly decoded file is decoded in another way from the same bytes', async () => {
  const file = await read(Uint8Array.of(0xe8))
  expect(readAs(file, 'windows-1250').text).toBe('č')
  expect(readAs(file, 'windows-1251').text).toBe('и')
  expect(readAs(file, 'windows-1252')).toEqual({ ...file, encoding: 'windows-1252', text: 'è' })
})

test.each([
  ['sep=|\r\nName,Mail', 'Name,Mail'],
  ['sep=;\r\nName;Mail', 'sep=;\r\nName;Mail'],
  ['\uFEFF"sep=,"\nName,Mail', '"sep=,"\nName,Mail'],
  ['sep=\t\r\nName\tMail', 'sep=\t\r\nName\tMail'],
  ['Sep=;Mail\nx;y', 'Sep=;Mail\nx;y'],
])('Excel’s line above the headings is kept only if the server reads it: %j', async (text, rest) => {
  expect((await read(text)).text).toBe(rest)
})

test('headings are cut at the separator that the file names, even if another one would cut them as well', async () => {
  const { text } = await read('\uFEFFsep=;\r\nNr;Balance, EUR;Fee, EUR\r\n1;1,50;2,00')
  expect(readFirstRecords(text)[0]?.cells).toEqual(['Nr', 'Balance, EUR', 'Fee, EUR'])
})

test('the preview of a decoding shows the first line and those with letters beyond A to Z', () => {
  const numbers = (text: string): number[] => pickPreviewLines(text).map(({ number }) => number)
  expect(numbers('head\na\nb\nc')).toEqual([1, 2, 3])
  expect(numbers('sep=;\na;b\n1;2')).toEqual([2, 3])
  expect(numbers('head\n\na\nŁ\nb\r\nó\rü')).toEqual([1, 4, 6])
  expect(numbers('head\na\nb\nŁ')).toEqual([1, 2, 4])
  expect(numbers('')).toEqual([])
})
