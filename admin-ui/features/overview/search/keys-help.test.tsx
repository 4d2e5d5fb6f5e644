import { expect, mock, test } from 'bun:test'
import { fireEvent } from '@testing-library/react'
import { keys, renderPage, screen } from '../../../testing/render.tsx'
import { KeysHelp } from './keys-help.tsx'
import { useHelpKey } from './use-help-key.ts'

const Page = ({ open }: { open: () => void }) => {
  useHelpKey(open)
  return (
    <>
      <input aria-label="Field" />
      <textarea aria-label="Text" />
    </>
  )
}
const page = async () => {
  const open = mock(() => undefined)
  await renderPage(<Page open={open} />)
  return { open, field: await screen.findByLabelText('Field'), text: await screen.findByLabelText('Text') }
}

test('a question mark anywhere on the page opens the help', async () => {
  const { open } = await page()
  await keys('?')
  expect(open).toHaveBeenCalledTimes(1)
})

test('a question mark typed into a field is a character', async () => {
  const { open, field, text } = await page()
  for (const one of [field, text]) {
    one.focus()
    await keys('?')
    expect(one).toHaveProperty('value', '?')
  }
  expect(open).not.toHaveBeenCalled()
})

test.each(['ctrlKey', 'metaKey', 'altKey'])('a question mark with %s does not open the help', async (held) => {
  const { open } = await page()
  fireEvent.keyDown(document.body, { key: '?', [held]: true })
  fireEvent.keyDown(document.body, { key: '/' })
  expect(open).not.toHaveBeenCalled()
})

test('the help names the keys by their actions, and links to the guide', async () => {
  await renderPage(<KeysHelp />)
  await screen.findByText('This help')
  const findKeys = (does: string): (string | null)[] =>
    [...(screen.getByText(does).previousElementSibling?.children ?? [])].map(({ textContent }) => textContent)
  expect(findKeys('The next one, the one before')).toEqual(['J', 'K'])
  expect(findKeys('Move through the rows')).toEqual(['↑', '↓'])
  expect(findKeys('This help')).toEqual(['?'])
  expect(screen.getByRole('link', { name: 'Open the guide' }).getAttribute('href')).toBe('/docs/guide')
})
