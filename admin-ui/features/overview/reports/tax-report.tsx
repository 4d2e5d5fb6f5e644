import { useInfiniteQuery } from '@tanstack/react-query'
import { ListFoot } from '../../../components/lists/list-foot.tsx'
import { MaybeOld } from '../../../components/lists/list-rest.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { Section } from '../../../components/page/section.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { FigureTable } from './figure-table.tsx'
import { gatherMissing } from './missing-rates.ts'
import { AsOf, Converted, MissingRates } from './notices.tsx'
import { ReportBar, useAskedPeriod } from './report-bar.tsx'
import { makeTaxFile } from './report-files.ts'
import { fetchTax, type TaxPage, taxCsv } from './reports.api.ts'
import { TAX_SUMS } from './tax-sums.ts'
import { say } from './words.ts'

const isNothing = (amount: string): boolean => /^-?0*(?:\.0*)?$/.test(amount)
/** Shows what each client put in and took out by the books, for each currency. */
export const TaxReport = () => {
  const asked = useAskedPeriod()
  const list = useInfiniteQuery({
    queryKey: ['reports', 'tax', asked],
    queryFn: ({ pageParam }) => fetchTax({ ...asked, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const [first] = list.data?.pages ?? []
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const currency = first?.currency ?? ''
  return (
    <>
      <ReportBar
        csv={{ href: taxCsv(asked), name: 'tax', make: (text) => makeTaxFile(text, currency) }}
        shown={first}
        hasCurrency
      />
      <Section
        title={say('reports.tax.title')}
        description={
          first ? (
            <>
              <AsOf {...first} />
              <RowCount {...first} />
            </>
          ) : (
            say('reports.tax.hint')
          )
        }
        flush
      >
        {list.isPending ? (
          <PageLoader />
        ) : list.isError && !first ? (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title={say('reports.tax.empty')}>{say('reports.tax.empty.text')}</EmptyState>
        ) : (
          <div className="tax">
            <p className="report-hint">{say('reports.tax.hint')}</p>
            <MissingRates missing={gatherMissing(list.data?.pages ?? [])} currency={currency} />
            <MaybeOld list={list} />
            <TaxTable rows={rows} currency={currency} />
            <ListFoot shown={rows.length} totals={first} sumOf={undefined} list={list} />
          </div>
        )}
      </Section>
    </>
  )
}

/** Says how many rows the report has in all, of which the table shows the first ones. */
const RowCount = ({ total, totalIsMinimum = false }: Pick<TaxPage, 'total' | 'totalIsMinimum'>) =>
  total !== undefined && (
    <> · {say(totalIsMinimum ? 'reports.tax.count_more' : 'reports.tax.count', { count: total })}</>
  )

type TaxRow = Awaited<ReturnType<typeof fetchTax>>['data'][number]

/** Has a row for each client and currency, with money in and out also in the currency of the report. */
const TaxTable = ({ rows, currency }: { rows: readonly TaxRow[]; currency: string }) => (
  <FigureTable
    label={say('reports.tax.title')}
    headings={[
      { title: say('reports.head.client') },
      { title: say('reports.head.currency') },
      ...TAX_SUMS.map((column) => ({ title: say(`reports.tax.${column}`), right: true })),
      { title: say('reports.tax.deposits_in', { currency }), right: true },
      { title: say('reports.tax.withdrawals_in', { currency }), right: true },
    ]}
    rows={rows.map((row) => ({
      key: `${row.traderId} ${row.currency}`,
      cells: [
        <TraderLink key="name" id={row.traderId} name={row.name} />,
        row.currency,
        // most amounts of this report are zero: without the zeros the others are found sooner
        ...TAX_SUMS.map((column) => (isNothing(row[column]) ? null : groupDigits(row[column]))),
        <Converted key="in" amount={row.depositsConverted} />,
        <Converted key="out" amount={row.withdrawalsConverted} />,
      ],
    }))}
  />
)
