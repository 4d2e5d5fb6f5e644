import { expect, test } from 'bun:test'
import { renderPage, screen } from '../../testing/render.tsx'
import { KeptPlace } from './kept-place.tsx'

test('a part of a page that loads later is given its last height, until its content is there', async () => {
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

test('what is below a part that loads later is hidden until then, but only the first time in a browser', async () => {
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
