import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Chart } from '../reports/chart.tsx'
import type { SqlResult } from './sandbox.api.ts'
import { say } from './words.ts'

const MOST = 60
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Returns whether a column has numbers, or texts that are exact amounts. A text column of only NULL has none. */
export const isFigure = ({ columns, rows }: SqlResult, index: number): boolean => {
  const type = columns[index]?.type ?? ''
  if (['integer', 'number'].includes(type)) return true
  const known = rows.map((row) => row[index] ?? null).filter((cell) => cell !== null)
  return type === 'text' && known.length > 0 && known.every((cell) => DECIMAL.test(String(cell)))
}

/** Draws the figures of one column over the values of another. */
export const ResultChart = ({ result }: { result: SqlResult }) => {
  const { columns, rows } = result
  const options = columns.map(({ name }, index) => ({ value: String(index), label: name }))
  const drawable = options.filter(({ value }) => isFigure(result, Number(value)))
  const firstBy = options.find(({ value }) => drawable.every((one) => one.value !== value)) ?? options[0]
  const [by, setBy] = useState(firstBy?.value ?? '0')
  const [of, setOf] = useState(drawable.find(({ value }) => value !== by)?.value ?? drawable[0]?.value)
  if (of === undefined) return <EmptyState title={say('sandbox.chart.none')} />
  const drawn = rows.slice(0, MOST)
  return (
    <>
      <Group gap="sm" mb="sm">
        <Select
          size="xs"
          label={say('sandbox.chart.by')}
          data={options}
          value={by}
          allowDeselect={false}
          onChange={(next) => setBy(next ?? by)}
        />
        <Select
          size="xs"
          label={say('sandbox.chart.of')}
          data={drawable}
          value={of}
          allowDeselect={false}
          onChange={(next) => setOf(next ?? of)}
        />
      </Group>
      <Chart
        names={drawn.map((row) => String(row[Number(by)] ?? say('sandbox.result.null')))}
        series={[
          {
            name: options[Number(of)]?.label ?? '',
            color: 'var(--info)',
            texts: drawn.map((row) => String(row[Number(of)] ?? 0)),
          },
        ]}
      />
      {rows.length > MOST && <p className="dim">{say('sandbox.chart.most', { count: MOST })}</p>}
    </>
  )
}
