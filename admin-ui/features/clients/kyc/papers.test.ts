import { expect, test } from 'bun:test'
import { ApiError } from '../../../lib/api/http.ts'
import { asAnnounced, type ChosenPaper, paperRefusal, takenDocument, withFileName } from './papers.ts'
import { isWaiting } from './waiting.ts'

const file = (name: string, type: string): File => new File(['x'], name, { type, lastModified: 5 })

test('an upload is used again only as the same kind and side for the same client', () => {
  const paper: ChosenPaper = { file: file('a.png', 'image/png'), kind: 'passport', side: '' }
  const taken = [{ ...paper, traderId: 'trd_1', documentId: 'doc_1' }]
  expect(takenDocument(taken, 'trd_1', { ...paper })).toBe('doc_1')
  expect(takenDocument(taken, 'trd_2', paper)).toBeUndefined()
  expect(takenDocument(taken, 'trd_1', { ...paper, kind: 'identity_card' })).toBeUndefined()
  expect(takenDocument(taken, 'trd_1', { ...paper, side: 'back' })).toBeUndefined()
  expect(takenDocument(taken, 'trd_1', { ...paper, file: file('a.png', 'image/png') })).toBeUndefined()
})

test('photos of phones are announced as HEIC, other files by their type', () => {
  const cases = [
    ['a.heic', '', 'image/heic'],
    ['a.HEIF', '', 'image/heic'],
    ['a.heif', 'image/heif', 'image/heic'],
    ['a.heic', 'image/heic', 'image/heic'],
    ['a.heic', 'image/jpeg', 'image/jpeg'],
    ['a.exe', '', ''],
  ] as const
  for (const [name, type, announced] of cases) {
    const result = asAnnounced(file(name, type))
    expect([result.name, result.type, result.size, result.lastModified]).toEqual([name, announced, 1, 5])
  }
})

test('only a submission that waits may be decided', () => {
  const states = ['requested', 'approved', 'rejected'] as const
  expect(states.filter((status) => isWaiting({ status }))).toEqual(['requested'])
})

test('a file that cannot be a document shows why before it is sent', () => {
  expect(paperRefusal(new File([], 'passport.pdf', { type: 'application/pdf' }))).toBe('passport.pdf is empty')
  expect(paperRefusal(file('a.exe', ''))).toBe('a.exe: only PDF, JPEG, PNG, WebP and HEIC')
  expect(paperRefusal(file('a.pdf', 'application/pdf'))).toBeNull()
})

test('a refusal of one of several files gets the file’s name, and a lost connection does not', () => {
  const refused = new ApiError({ status: 422, title: 'No', detail: 'the file is not a PDF', code: 'wrong_type' }, 3)
  const named = withFileName(refused, file('b.pdf', 'application/pdf'))
  expect(named).toBeInstanceOf(ApiError)
  expect(named).toMatchObject({
    problem: { status: 422, detail: 'b.pdf: the file is not a PDF', code: 'wrong_type' },
    retryAfter: 3,
  })
  const unreached = new ApiError({ status: 0, title: 'The server cannot be reached.' })
  expect(withFileName(unreached, file('b.pdf', 'application/pdf'))).toBe(unreached)
})
