import { Alert, Button, Group, SegmentedControl, Table } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { saveCsv } from '../../../lib/csv/csv-writing.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { toDay } from '../../../lib/text/zone.ts'
import { isFigure, ResultChart } from './result-chart.tsx'
import type { SqlResult } from './sandbox.api.ts'
import { say } from './words.ts'

/** At most this many rows are drawn: more would slow the browser down and would not be read. */
const DRAWN = 500
/** About this many rows are visible without scrolling. */
const IN_SIGHT = 15
const VIEWS = ['table', 'chart'] as const

const download = (result: SqlResult): Promise<void> =>
  saveCsv(
    `query-${toDay(new Date())}`,
    result.columns.map(({ name }, index) => ({ title: name, align: isFigure(result, index) ? 'right' : 'left' })),
    result.rows,
  )

/** Shows the result of a query as a table, as bars or as a file. */
export const ResultView = ({ result }: { result: SqlResult }) => {
  const [view, setView] = useState<(typeof VIEWS)[number]>('table')
  const { rowCount, elapsedMs, truncated } = result
  return (
    <Section
      title={say('sandbox.result.title')}
      description={say('sandbox.result.facts', { count: rowCount, ms: elapsedMs })}
      actions={
        rowCount > 0 && (
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={say('sandbox.result.view')}
              data={VIEWS.map((value) => ({ value, label: say(`sandbox.result.${value}`) }))}
              value={view}
              onChange={(next) => setView(next === 'chart' ? 'chart' : 'table')}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => void download(result)}
            >
              {say('sandbox.result.export')}
            </Button>
          </Group>
        )
      }
    >
      {truncated && (
        <Alert role="status" color="yellow" variant="light" mb="sm">
          {say('sandbox.result.truncated')}
        </Alert>
      )}
      {rowCount === 0 ? (
        <EmptyState title={say('sandbox.result.none')} />
      ) : view === 'chart' ? (
        <ResultChart result={result} />
      ) : (
        <ResultTable result={result} />
      )}
    </Section>
  )
}

/** Groups the digits of exact amounts only: whole numbers may be years, ids or times. The file has all as they are. */
const showCell = (cell: string | number): string =>
  typeof cell === 'string' && /^-?\d+\.\d+$/.test(cell) ? groupDigits(cell) : String(cell)

const ResultTable = ({ result }: { result: SqlResult }) => {
  const { columns, rows, rowCount } = result
  const figures = columns.map((_, index) => isFigure(result, index))
  const isNumber = (index: number): boolean => figures[index] ?? false
  return (
    <>
      <ScrollRegion className="sql-result" label={say('sandbox.result.title')}>
        <Table aria-label={say('sandbox.result.title')} verticalSpacing={3} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <Table.Th key={index} {...(isNumber(index) && { ta: 'right' })}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, DRAWN).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a query have nothing but their place
              <Table.Tr key={at}>
                {row.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <Table.Td key={index} {...(isNumber(index) && { ta: 'right', className: 'money' })}>
                    {cell === null ? <span className="dim">{say('sandbox.result.null')}</span> : showCell(cell)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {rowCount > DRAWN ? (
        <p className="dim">{say('sandbox.result.shown', { count: DRAWN })}</p>
      ) : (
        rowCount > IN_SIGHT && <p className="dim">{say('sandbox.result.all', { count: rowCount })}</p>
      )}
    </>
  )
}
