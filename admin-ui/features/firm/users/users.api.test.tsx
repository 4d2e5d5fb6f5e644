import { expect, test } from 'bun:test'
import { buildPage } from '../../../testing/answers.ts'
import { renderPage, screen } from '../../../testing/render.tsx'
import { colleague } from '../../../testing/samples.ts'
import { useStaff } from './users.api.ts'

const Names = ({ times }: { times: readonly (string | null)[] }) => {
  const { findStaffName } = useStaff()
  return <p>{times.map((at) => findStaffName('usr_1', at)).join(', ')}</p>
}

test('a colleague is named as at the time of an action, and by the present name if no time is given', async () => {
  const formerNames = [
    { name: 'First', until: '2026-03-01T00:00:00.000Z' },
    { name: 'Second', until: '2026-06-01T00:00:00.000Z' },
  ]
  const times = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-07-01T00:00:00.000Z', null]
  await renderPage(<Names times={times} />, {
    answers: { 'users.list': buildPage(colleague({ displayName: 'Third', formerNames })) },
  })
  expect(await screen.findByText('First, Second, Third, Third')).toBeDefined()
})
