import { expect, test } from 'bun:test'
import { renderPage, screen } from '../../testing/render.tsx'
import { KeptPlace } from './kept-place.tsx'

test('a part that is read later has the room that it had last time, and none once it is there', async () => {
  localStorage.setItem('height-bar', '47')
  await renderPage(<KeptPlace name="bar" isKnown={false} />)
  expect(document.querySelector('[style*="47px"]')).not.toBeNull()
  await renderPage(
    <KeptPlace name="bar" isKnown>
      <p>next step</p>
    </KeptPlace>,
  )
  expect(screen.getByText('next step').parentElement?.style.display).toBe('contents')
})

test('the first time in a browser, what is below a part waits for it', async () => {
  localStorage.removeItem('height-new')
  const isWaiting = (name: string): boolean => document.querySelector(`#${name} [data-unplaced]`) !== null
  const draw = (id: string, isKnown: boolean) =>
    renderPage(
      <main id={id}>
        <KeptPlace name="new" isKnown={isKnown} />
      </main>,
    )
  await draw('first', false)
  expect(isWaiting('first')).toBe(true)
  await draw('known', true)
  expect(isWaiting('known')).toBe(false)
  await draw('again', false)
  expect(isWaiting('again')).toBe(false)
})
