import { expect, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { pressButton, renderPage, screen, seen, waitFor } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { DocumentViewer } from './document-viewer.tsx'
import type { KycDocument } from './kyc.api.ts'

const paper = (contentType: KycDocument['contentType']): KycDocument => ({
  id: 'doc_1',
  traderId: 'trd_1',
  submissionId: 'sub_1',
  kind: 'passport',
  side: null,
  contentType,
  size: 4,
  createdAt: '2026-11-20T10:00:00.000Z',
})
const open = (contentType: KycDocument['contentType'], answers: Answers = {}, role: Role = 'operator') =>
  renderPage(<DocumentViewer document={paper(contentType)} name="Passport" />, {
    role,
    answers: {
      'auth.me': meAs(role),
      'kyc.documents.file': () => new Response('bytes', { headers: { 'content-type': contentType } }),
      ...answers,
    },
  })
const turned = async (): Promise<string> => (await seen('img', 'Passport')).style.transform.replace(/^.*rotate/, '')
const width = async (): Promise<string | undefined> => (await seen('img', 'Passport')).parentElement?.style.width

test('a picture is zoomed in steps, and stops at both ends', async () => {
  await open('image/png')
  expect(await width()).toBe('100%')
  await pressButton('Larger')
  expect([await width(), screen.getByText('150 %') !== null]).toEqual(['150%', true])
  for (const _ of [2, 3, 4]) await pressButton('Larger')
  expect(await seen('button', 'Larger')).toHaveProperty('disabled', true)
  await pressButton('As it was')
  for (const _ of [0.75, 0.5]) await pressButton('Smaller')
  expect([await width(), (await seen('button', 'Smaller')).hasAttribute('disabled')]).toEqual(['50%', true])
})

test('a picture is rotated by quarter turns; the fourth one, or a reset, puts it upright', async () => {
  await open('image/jpeg')
  for (const angle of ['(90deg)', '(180deg)', '(270deg)', '(0deg)', '(90deg)']) {
    await pressButton('Turn to the right')
    expect(await turned()).toBe(angle)
  }
  await pressButton('As it was')
  expect(await turned()).toBe('(0deg)')
})

test('a picture that the browser cannot show is offered as a file', async () => {
  await open('image/heic')
  fireEvent.error(await seen('img', 'Passport'))
  expect(await screen.findByText('This browser cannot show the picture')).toBeDefined()
  expect((await seen('link', 'Download')).getAttribute('download')).toBe('Passport')
})

test('a PDF that may not be framed is offered as a file', async () => {
  await open('application/pdf')
  expect(await seen('link', 'Download')).toBeDefined()
  const refused = Object.assign(new Event('securitypolicyviolation'), { effectiveDirective: 'frame-src' })
  fireEvent(window, refused)
  expect(await screen.findByText('PDF')).toBeDefined()
  expect(document.querySelectorAll('iframe')).toHaveLength(0)
})

test('a document is read once while it is open, since each reading is recorded', async () => {
  const { server, client } = await open('image/png')
  await seen('img', 'Passport')
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(server.of('kyc.documents.file').map(({ params }) => params)).toEqual([{ id: 'doc_1' }])
})

test('a reader who may not see documents requests none', async () => {
  const { server } = await open('image/png', {}, 'viewer')
  expect(await screen.findByText('Documents are not for your role')).toBeDefined()
  expect(server.of('kyc.documents.file')).toEqual([])
})

test('a document that cannot be read shows why, and “Try again” reads it', async () => {
  const { server } = await open('image/png', {
    'kyc.documents.file': () => refusal(422, 'damaged', 'The file is damaged.'),
  })
  expect((await screen.findByRole('alert')).textContent).toContain('The file is damaged.')
  server.now({ 'kyc.documents.file': () => new Response('bytes', { headers: { 'content-type': 'image/png' } }) })
  await pressButton('Try again')
  expect(await seen('img', 'Passport')).toBeDefined()
})
