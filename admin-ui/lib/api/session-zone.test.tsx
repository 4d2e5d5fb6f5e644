import { afterEach, expect, test } from 'bun:test'
import { useQuery } from '@tanstack/react-query'
import { pressButton, renderPage, screen } from '../../testing/render.tsx'
import { meAs } from '../../testing/samples.ts'
import { formatDateTime } from '../text/format.ts'
import { setZone } from '../text/zone.ts'
import { meQuery } from './session.ts'

afterEach(() => setZone(undefined))

const Clock = () => {
  const { data, refetch } = useQuery(meQuery)
  return (
    <>
      <p>{`${data?.tenant.timeZone} ${formatDateTime('2026-11-25T22:53:00.000Z')}`}</p>
      <button type="button" onClick={() => void refetch()}>
        Read
      </button>
    </>
  )
}

test('whoever is signed in reads all times by the clock of their firm', async () => {
  const me = meAs('manager')
  await renderPage(<Clock />, {
    answers: { 'auth.me': { ...me, tenant: { ...me.tenant, timeZone: 'Europe/Nicosia' } } },
  })
  await pressButton('Read')
  expect(await screen.findByText('Europe/Nicosia Nov 26, 2026, 12:53 AM')).toBeDefined()
})
