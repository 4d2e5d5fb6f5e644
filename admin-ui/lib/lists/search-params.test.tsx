import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { press, renderPage, seen, waitFor } from '../../testing/render.tsx'
import { parseSearch, stringifySearch, textSearch, useSearchParams } from './search-params.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1 })

test('parameters that are written into an address are read back unchanged, whatever was typed', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text), (search) => {
      const kept = Object.fromEntries(Object.entries(search).filter(([key]) => key !== '__proto__'))
      expect(parseSearch(stringifySearch(kept))).toEqual(kept)
    }),
  )
})

test.each([
  [{}, ''],
  [{ q: '', status: undefined, sort: null }, ''],
  [{ q: 'a b', n: 5 }, '?q=a+b&n=5'],
  [{ status: 'a,b' }, '?status=a%2Cb'],
])('the parameters %j are written into the address as “%s”', (search, address) => {
  expect(stringifySearch(search)).toBe(address)
})

test('only text is read from an address', () => {
  expect(textSearch({ q: 'x', page: 5, open: true, list: ['a'] })).toEqual({ q: 'x' })
})

const Changer = ({ change }: { change: Record<string, string | undefined> }) => {
  const [search, setSearch] = useSearchParams()
  return (
    <button type="button" onClick={() => setSearch(change)}>
      Now {search.q ?? 'nothing'}
    </button>
  )
}

test('a change of parameters keeps the others, and removes empty ones from the address', async () => {
  const { address } = await renderPage(<Changer change={{ status: '', sort: undefined, view: '7' }} />, {
    at: '/list?q=ana&status=open&sort=-amount',
    route: '/list',
  })
  await press(await seen('button', 'Now ana'))
  await waitFor(() => expect(address()).toBe('/list?q=ana&view=7'))
})

test('a change of parameters adds no step to the history: Back leads to the page before', async () => {
  const { router, address } = await renderPage(<Changer change={{ q: 'ana' }} />, { at: '/list', route: '/list' })
  const before = router.history.length
  await press(await seen('button', 'Now nothing'))
  await waitFor(() => expect(address()).toBe('/list?q=ana'))
  expect(router.history.length).toBe(before)
})
