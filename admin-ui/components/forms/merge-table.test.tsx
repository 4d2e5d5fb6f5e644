import { expect, test } from 'bun:test'
import { ApiError } from '../../lib/api/http.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../testing/render.tsx'
import { MergeTable, type Theirs } from './merge-table.tsx'

type Values = { city: string; street: string; risk: string }
const BASE: Values = { city: 'Porto', street: 'Mill Lane 1', risk: 'low' }
const MINE: Values = { city: 'Lisbon', street: 'Mill Lane 1', risk: 'low' }
const theirs = (values: Partial<Values>, version = 5): Theirs<Values> => ({
  values: { ...BASE, ...values },
  version,
  who: 'Ingrid Solheim',
  at: '2026-11-20T10:00:00.000Z',
})
const conflict = new ApiError({ status: 412, title: 'Changed', code: 'version_mismatch' })

const open = async (versions: Theirs<Values>[], refuse = 0) => {
  const saved: [Values, number][] = []
  let reads = 0
  let refused = 0
  await renderPage(
    <MergeTable
      id="trd_1"
      base={BASE}
      mine={MINE}
      load={async () => {
        const at = Math.min(reads, versions.length - 1)
        reads += 1
        const version = versions[at]
        if (!version) throw new Error('nothing to load')
        return version
      }}
      save={async (values, version) => {
        if (refused < refuse) {
          refused += 1
          throw conflict
        }
        saved.push([values, version])
      }}
      getLabel={(path) => path}
      show={(_path, value) => String(value)}
    />,
  )
  return { saved }
}
/** Chooses a side of a field. */
const keep = async (field: string, side: 'Yours' | 'Theirs'): Promise<void> =>
  press(within(await seen('radiogroup', `Keep of ${field}`)).getByRole('radio', { name: side }))

test('the merge keeps a colleague’s value where only they changed the field, and mine where only I did', async () => {
  const { saved } = await open([theirs({ risk: 'high' })])
  expect(await screen.findByText(/Ingrid Solheim changed it/)).toBeDefined()
  await pressButton('Save both')
  await waitFor(() => expect(saved).toEqual([[{ city: 'Lisbon', street: 'Mill Lane 1', risk: 'high' }, 5]]))
})

test('a field that the reader and a colleague changed needs a choice before saving', async () => {
  const { saved } = await open([theirs({ city: 'Faro' })])
  const save = await seen('button', 'Save both')
  expect(save.hasAttribute('disabled')).toBe(true)
  await keep('city', 'Theirs')
  await press(save)
  await waitFor(() => expect(saved).toEqual([[{ ...BASE, city: 'Faro' }, 5]]))
})

test('the reader can keep their own value over a colleague’s', async () => {
  const { saved } = await open([theirs({ city: 'Faro', risk: 'high' })])
  await keep('city', 'Yours')
  await keep('risk', 'Yours')
  await pressButton('Save both')
  await waitFor(() => expect(saved).toEqual([[MINE, 5]]))
})

test('a colleague’s change outside the form is reported as such', async () => {
  const { saved } = await open([theirs({})])
  expect(await screen.findByText('Nothing of this form: yours can be saved as it is.')).toBeDefined()
  await pressButton('Save both')
  await waitFor(() => expect(saved).toEqual([[MINE, 5]]))
})

test('a colleague’s second change adds lines to the merge table and asks again about a changed value', async () => {
  const { saved } = await open([theirs({ city: 'Faro' }), theirs({ city: 'Braga' }, 6)], 1)
  await keep('city', 'Yours')
  await pressButton('Save both')
  expect(await screen.findByText('It changed once more; look at the new lines.')).toBeDefined()
  expect(await screen.findByText('Braga')).toBeDefined()
  expect((await seen('button', 'Save both')).hasAttribute('disabled')).toBe(true)
  expect(saved).toEqual([])
  await keep('city', 'Yours')
  await pressButton('Save both')
  await waitFor(() => expect(saved).toEqual([[MINE, 6]]))
})
