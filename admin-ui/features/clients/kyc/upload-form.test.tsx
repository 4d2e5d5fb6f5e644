import { expect, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import type { Answer } from '../../../operations.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { act, fill, press, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { UploadForm } from './upload-form.tsx'

const document_ = (id: string): Answer<'kyc.documents.confirm'> => ({
  id,
  traderId: 'trd_1',
  submissionId: null,
  kind: 'passport',
  side: null,
  contentType: 'image/png',
  size: 4,
  createdAt: '2026-11-20T10:00:00.000Z',
})
const png = (name: string): File => new File(['data'], name, { type: 'image/png' })

/** Opens the form for one client; `sent` lists the files whose bytes were sent. */
const open = async (answers: Answers = {}) => {
  const closed: true[] = []
  const sent: string[] = []
  let taken = 0
  const drawn = await renderPage(
    <UploadForm trader={{ id: 'trd_1', name: 'Ana Lima' }} onClose={() => void closed.push(true)} />,
    {
      role: 'operator',
      answers: {
        'kyc.documents.upload': Response.json({ key: 'k', uploadUrl: '/v1/files/k', method: 'PUT', headers: {} }),
        'files.upload': ({ body }) => {
          sent.push(body instanceof File ? body.name : '?')
          return new Response(null, { status: 204 })
        },
        'kyc.documents.confirm': () => document_(`doc_${++taken}`),
        'kyc.submissions.create': Response.json({}),
        ...answers,
      },
    },
  )
  const form = within(await seen('dialog', 'Upload documents'))
  const add = async (...files: File[]): Promise<void> => {
    const input = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1)
    if (!input) throw new Error('there is no field for the files')
    fireEvent.change(input, { target: { files } })
    await act(async () => undefined)
  }
  return { ...drawn, form, add, sent, closed }
}

test('each document is sent with its kind, and all are submitted for one level', async () => {
  const { server, form, add, sent, closed } = await open()
  await add(png('front.png'), png('bill.png'))
  await press(await form.findByRole('combobox', { name: /bill\.png/ }))
  await press(await seen('option', 'Proof of address'))
  await press(within(form.getByRole('radiogroup', { name: /front\.png/ })).getByRole('radio', { name: 'Front' }))
  await fill(form.getByLabelText(/^Note/), ' seen in person ')
  await press(form.getByRole('button', { name: 'Upload' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(sent).toEqual(['front.png', 'bill.png'])
  expect(server.of('kyc.documents.confirm').map(({ body }) => body)).toEqual([
    { traderId: 'trd_1', key: 'k', kind: 'passport', side: 'front' },
    { traderId: 'trd_1', key: 'k', kind: 'proof_of_address' },
  ])
  expect(server.of('kyc.submissions.create').map(({ body }) => body)).toEqual([
    { traderId: 'trd_1', level: 1, documentIds: ['doc_1', 'doc_2'], note: 'seen in person' },
  ])
})

test('an accepted document is not sent again after a later one was refused', async () => {
  let times = 0
  const { form, add, sent, closed } = await open({
    'kyc.documents.confirm': () =>
      ++times === 2 ? refusal(422, 'invalid', 'The picture cannot be read') : document_(`doc_${times}`),
  })
  await add(png('front.png'), png('back.png'))
  await press(form.getByRole('button', { name: 'Upload' }))
  expect(await form.findByText('back.png: The picture cannot be read')).toBeDefined()
  await press(form.getByRole('button', { name: 'Upload' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(sent).toEqual(['front.png', 'back.png', 'back.png'])
})

test('a document that was removed from the form is not sent', async () => {
  const { form, add, sent, closed } = await open()
  await add(png('front.png'), png('cat.png'))
  await press(await form.findByRole('button', { name: 'Remove cat.png' }))
  await press(form.getByRole('button', { name: 'Upload' }))
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(sent).toEqual(['front.png'])
})

test('a form without a document, or with a file of another kind, sends nothing', async () => {
  const { server, form, add } = await open()
  await press(form.getByRole('button', { name: 'Upload' }))
  expect((await form.findByRole('alert')).textContent).toMatch(/at least one/)
  await add(new File(['x'], 'page.html', { type: 'text/html' }))
  await press(form.getByRole('button', { name: 'Upload' }))
  expect((await form.findByRole('alert')).textContent).toContain('page.html')
  expect(server.of('kyc.documents.upload')).toEqual([])
  expect(screen.getByText(/Ana Lima/)).toBeDefined()
})
