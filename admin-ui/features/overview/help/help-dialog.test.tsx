import { expect, test } from 'bun:test'
import { WhatIs } from '../../../components/show/what-is.tsx'
import { offerHelp } from '../../../lib/screen/help.ts'
import { pressButton, renderPage, seen, within } from '../../../testing/render.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { EXPLAINED } from './help-terms.ts'

const open = async (term: Parameters<typeof HelpDialog>[0]['term'] = null) => {
  await renderPage(<HelpDialog term={term} onClose={() => undefined} />, {
    at: '/deposits/dep_1',
    route: '/deposits/$id',
  })
  return within(await seen('dialog', 'Help and keys'))
}

test('the help says what the page of a deposit is for, its words, and who does what, before the keys', async () => {
  const help = await open()
  expect(help.getByText(/^Money that comes in/)).toBeDefined()
  expect(help.getByText('Settled in part').nextElementSibling?.textContent).toContain('Partial settlement')
  expect(help.getByText(/^Manager: settle it/)).toBeDefined()
  expect(help.getByText('This help')).toBeDefined()
})

test('a word that was asked for is on top of the help, and only once in it', async () => {
  const help = await open('four_eyes')
  expect(help.getAllByText('Four eyes')).toHaveLength(1)
  expect(help.getAllByRole('term')[0]?.textContent).toBe('Four eyes')
})

test('a question mark beside a word opens the help at it', async () => {
  const asked: unknown[] = []
  const end = offerHelp((term) => asked.push(term))
  await renderPage(<WhatIs term="partial" label="Settled in part" />)
  await pressButton('What does “Settled in part” mean?')
  end()
  expect(asked).toEqual(['partial'])
})

test('the explanation of every word in the help has at most 160 characters', () => {
  expect(EXPLAINED.length).toBeGreaterThan(30)
  expect(EXPLAINED.filter(({ description }) => description.length > 160)).toEqual([])
})
