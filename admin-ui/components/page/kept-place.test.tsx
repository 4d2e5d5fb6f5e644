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
