import { expect, mock, test } from 'bun:test'
import { Button } from '@mantine/core'
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { useScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { keys, pressButton, renderPage, screen } from '../../../testing/render.tsx'
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

const Screen = () => {
  useScreenKeys([
    { key: 'arrowup', does: 'Move through the rows', act: () => undefined },
    { key: 'arrowdown', does: 'Move through the rows', act: () => undefined },
    { key: 'a', does: 'Approve', act: () => undefined },
  ])
  return null
}
const WithHelp = () => {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Screen />
      <Button onClick={() => setOpened(true)}>Help</Button>
      {opened && <KeysHelp />}
    </>
  )
}
const findKeys = (does: string): (string | null)[] =>
  [...(screen.getByText(does).previousElementSibling?.children ?? [])].map(({ textContent }) => textContent)

test('the help names exactly the keys of the present screen by their actions, and links to the guide', async () => {
  await renderPage(<WithHelp />)
  await pressButton('Help')
  await screen.findByText('This help')
  expect(findKeys('Move through the rows')).toEqual(['↑', '↓'])
  expect(findKeys('Approve')).toEqual(['A'])
  expect(findKeys('This help')).toEqual(['?'])
  expect(findKeys('Undo the last change')).toEqual(['Ctrl', 'Z'])
  expect(screen.queryByText('Reject')).toBeNull()
  expect(screen.getByRole('link', { name: 'Open the guide' }).getAttribute('href')).toBe('/docs/guide')
})

test('a screen without keys of its own has only those of everywhere', async () => {
  await renderPage(<KeysHelp />)
  expect(await screen.findByText('Everywhere')).toBeDefined()
  expect(screen.queryByText('On this screen')).toBeNull()
})
