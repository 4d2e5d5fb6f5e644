import { expect, test } from 'bun:test'
import { Button, Checkbox, Modal } from '@mantine/core'
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { RecordDrawer } from '../../components/page/record-drawer.tsx'
import { act, keys, press, pressButton, renderPage, screen, seen } from '../../testing/render.tsx'
import { notifyWithUndo } from '../api/notify.tsx'
import { useScreenKeys } from './screen-keys.ts'

type Part = { name: string; heard: string[]; passes?: boolean }
const Acts = ({ name, heard, passes = false }: Part) => {
  useScreenKeys([
    {
      key: 'a',
      does: 'Approve',
      act: () => {
        heard.push(name)
        return !passes
      },
    },
  ])
  return null
}
const Screen = ({ heard }: { heard: string[] }) => {
  const [shown, setShown] = useState<'drawer' | 'modal' | null>(null)
  return (
    <>
      <Acts name="page" heard={heard} />
      <input aria-label="Text" />
      <Checkbox label="Tick" />
      <Button onClick={() => setShown('drawer')}>Drawer</Button>
      <Button onClick={() => setShown('modal')}>Modal</Button>
      <RecordDrawer opened={shown === 'drawer'} onClose={() => setShown(null)} title="Record">
        <Acts name="drawer" heard={heard} />
      </RecordDrawer>
      <Modal opened={shown === 'modal'} onClose={() => setShown(null)} title="Question" />
    </>
  )
}
const open = async () => {
  const heard: string[] = []
  await renderPage(<Screen heard={heard} />)
  await seen('button', 'Drawer')
  return heard
}

test('a key acts on the page, also in capitals by Caps Lock and while a checkbox has the focus', async () => {
  const heard = await open()
  await keys('a')
  fireEvent.keyDown(document.body, { key: 'A' })
  await press(await seen('checkbox', 'Tick'))
  await keys('a')
  expect(heard).toEqual(['page', 'page', 'page'])
})

test('a key does not act in a field, with a modifier, or again while it is held', async () => {
  const heard = await open()
  await press(await seen('textbox', 'Text'))
  await keys('a')
  expect(screen.getByRole('textbox', { name: 'Text' })).toHaveProperty('value', 'a')
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey', 'repeat'])
    fireEvent.keyDown(document.body, { key: 'a', [held]: true })
  expect(heard).toEqual([])
})

test('a key belongs to the drawer that is open, and to nothing below a question', async () => {
  const heard = await open()
  await pressButton('Drawer')
  await seen('dialog', 'Record')
  await keys('a')
  expect(heard).toEqual(['drawer'])
  await keys('{Escape}')
  await pressButton('Modal')
  await seen('dialog', 'Question')
  await keys('a')
  expect(heard).toEqual(['drawer'])
})

test('a part that leaves a key to others passes it on', async () => {
  const heard: string[] = []
  await renderPage(
    <>
      <Acts name="first" heard={heard} />
      <Acts name="second" heard={heard} passes />
    </>,
  )
  await keys('a')
  expect(heard).toEqual(['second', 'first'])
})

test('Ctrl-Z presses the newest Undo that is shown, then the one before, and nothing in a field', async () => {
  const heard = await open()
  act(() => {
    notifyWithUndo('One', () => heard.push('one'))
    notifyWithUndo('Two', () => heard.push('two'))
  })
  await screen.findByText(/Two/)
  await press(await seen('textbox', 'Text'))
  await keys('{Control>}z{/Control}')
  expect(heard).toEqual([])
  await press(await seen('checkbox', 'Tick'))
  await keys('{Control>}z{/Control}')
  await keys('{Control>}z{/Control}')
  await keys('{Control>}z{/Control}')
  expect(heard).toEqual(['two', 'one'])
  expect(await screen.findByText('There is nothing to undo.')).toBeDefined()
})
