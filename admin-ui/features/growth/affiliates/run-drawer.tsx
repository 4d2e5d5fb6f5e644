import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Money } from '../../../components/show/money.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { daysText, dayText, shiftDay } from '../../../lib/text/day-text.ts'
import { subtractDecimal } from '../../../lib/text/decimal.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { AffiliateName } from './affiliate-name.tsx'
import { RunStatus } from './affiliate-words.tsx'
import { fetchRuns, type Run } from './affiliates.api.ts'
import { RunForm } from './run-form.tsx'
import { isSentenceKey, say } from './words.ts'

/** Returns the first and last day of a run; `to` is the day after the last one. */
export const runDays = ({ from, to }: Run): string => daysText(from, shiftDay(to, -1))

const reasonText = (why: string, count: number): string => {
  const key = `affiliates.skipped.${why}`
  return isSentenceKey(key) ? say(key, { count }) : `${why}: ${count}`
}

type Total = Run['totals'][number]
const buildKey = ({ affiliateId, currency }: Total): string => `${affiliateId} ${currency}`
/** Returns zero with the decimals of the amount. */
const zeroLike = (amount: string): string => subtractDecimal(amount, amount)

/** Shows what each affiliate gets of a run, beside what they got of the last closed run before it. */
const Totals = ({ run, before }: { run: Run; before: Run | undefined }) => {
  const last = new Map((before?.totals ?? []).map((total) => [buildKey(total), total.amount]))
  const paid = new Set(run.totals.map(buildKey))
  // An affiliate who got something then and gets nothing now has a row, too.
  const gone = (before?.totals ?? []).filter((total) => !paid.has(buildKey(total)))
  const totals = [...run.totals, ...gone.map((total) => ({ ...total, amount: zeroLike(total.amount) }))]
  if (totals.length === 0) return <Text size="sm">{say('affiliates.run.nothing')}</Text>
  return (
    <>
      {before && (
        <Text size="sm" c="dimmed" mb={6}>
          {say('affiliates.run.beside', { days: runDays(before) })}
        </Text>
      )}
      <Table aria-label={say('affiliates.run.totals')} className="totals">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('affiliates.payout.affiliate')}</Table.Th>
            <Table.Th ta="right">{say('affiliates.line.amount')}</Table.Th>
            {before && (
              <Table.Th ta="right" visibleFrom="xs">
                {say('affiliates.run.before')}
              </Table.Th>
            )}
            {before && <Table.Th ta="right">{say('affiliates.run.difference')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map((total) => {
            const was = last.get(buildKey(total)) ?? zeroLike(total.amount)
            return (
              <Table.Tr key={buildKey(total)}>
                <Table.Td>
                  <AffiliateName id={total.affiliateId} />
                </Table.Td>
                <Table.Td ta="right">
                  <Money amount={total.amount} currency={total.currency} />
                </Table.Td>
                {before && (
                  <Table.Td ta="right" visibleFrom="xs">
                    <Money amount={was} currency={total.currency} />
                  </Table.Td>
                )}
                {before && (
                  <Table.Td ta="right">
                    <Money amount={subtractDecimal(total.amount, was)} currency={total.currency} />
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </>
  )
}

/** Shows what a run found, what earned nothing and why, and what each affiliate gets. */
export const RunDrawer = ({ run: opened, onClose }: { run: Run; onClose: () => void }) => {
  const runs = useQuery({
    queryKey: ['runs', 'last'],
    queryFn: () => fetchRuns({ limit: 200 }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'computing') ? 3000 : false),
  })
  return (
    <RecordDrawer opened onClose={onClose} title={say('affiliates.run.title')} size={WIDE_DRAWER}>
      <Loaded query={runs}>
        {({ data }) => {
          const run = data.find(({ id }) => id === opened.id) ?? opened
          const before = data.find((one) => one.status === 'closed' && one.createdAt < run.createdAt)
          return <RunRecord run={run} before={before} onClose={onClose} />
        }}
      </Loaded>
    </RecordDrawer>
  )
}

type RunRecordProps = { run: Run; before: Run | undefined; onClose: () => void }

const RunRecord = ({ run, before, onClose }: RunRecordProps) => {
  const can = useCan()
  const [again, setAgain] = useState(false)
  return (
    <Stack>
      <Facts
        items={[
          [say('affiliates.run.days'), runDays(run)],
          [say('affiliates.list.status'), <RunStatus key="status" status={run.status} />],
          [say('affiliates.run.sources'), formatCount(run.sources)],
          [say('affiliates.run.lines'), formatCount(run.lines)],
          [say('affiliates.run.corrections'), formatCount(run.corrections)],
        ]}
      />
      {run.lastError && (
        <Alert color="red" variant="light" title={say('affiliates.run.stands')}>
          {run.lastError}
        </Alert>
      )}
      {run.missingRates.length > 0 && (
        <Alert color="yellow" variant="light" title={say('affiliates.run.missing')}>
          {run.missingRates.map(({ currency, day }) => `${currency}, ${dayText(day)}`).join('; ')}.{' '}
          {can('admin') && <Link to="/rates">{say('affiliates.run.enter_rate')}</Link>}
        </Alert>
      )}
      <div>
        <Title order={3} size="h5" mb={6}>
          {say('affiliates.run.totals')}
        </Title>
        <Totals run={run} before={before} />
      </div>
      {Object.keys(run.skipped).length > 0 && <Skipped skipped={run.skipped} />}
      {run.status === 'done' && can('admin') && (
        <Group justify="flex-end">
          <Button onClick={() => setAgain(true)}>{say('affiliates.run.in_earnest')}</Button>
        </Group>
      )}
      {again && (
        <RunForm
          from={run.from}
          to={shiftDay(run.to, -1)}
          onClose={() => {
            setAgain(false)
            onClose()
          }}
        />
      )}
    </Stack>
  )
}

/** Shows how many sources earned nothing, for each reason. */
const Skipped = ({ skipped }: Pick<Run, 'skipped'>) => (
  <div>
    <Title order={3} size="h5" mb={6}>
      {say('affiliates.run.skipped')}
    </Title>
    {Object.entries(skipped).map(([why, count]) => (
      <Text size="sm" key={why}>
        {reasonText(why, count)}
      </Text>
    ))}
  </div>
)
