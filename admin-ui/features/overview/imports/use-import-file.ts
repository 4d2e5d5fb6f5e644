import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { guessMapping, isPlatformExport, rateHeads } from '../../../../src/words/import-heads.ts'
import { type CsvRecord, findHeadings, namedColumns, readFirstRecords } from '../../../lib/csv/csv-heads.ts'
import { type CsvFile, explainRefusal, readCsvFile } from '../../../lib/csv/csv-text.ts'
import { fetchImports, type Import, type ImportField, type NewImport } from './imports.api.ts'
import { keptFile } from './kept-file.ts'
import { say } from './words.ts'

const MOST_CHARACTERS = 60_000_000
const MOST_COLUMNS = 200

type Mapping = Record<string, ImportField>
/** The choices that apply to all lines of a file. */
type Reading = Pick<Import, 'currency' | 'dates' | 'decimals'>

/** The server reads these invisible characters of a heading as blanks. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu
const cleanHeadings = (cells: readonly string[]): string[] => cells.map((head) => head.replace(CONTROLS, ' '))
/** A line identifies its client by one of these fields. */
const IDENTITIES: readonly ImportField[] = ['externalId', 'email', 'phone', 'accountNumber']

/** Joins the headings to one text, to find files with the same headings. */
const oneText = (headings: readonly string[]): string => JSON.stringify(headings)

const findProblem = ({ text }: CsvFile): string | null => {
  if (text.length > MOST_CHARACTERS) return say('movein.too_large')
  const headings = findHeadings(readFirstRecords(text), rateHeads)?.cells ?? []
  if (headings.length > MOST_COLUMNS) return say('movein.too_many_columns', { most: MOST_COLUMNS })
  return namedColumns(headings).length === 0 ? say('movein.empty') : null
}

/**
 * Returns which field each column fills: as the reader chose, else as in the last file with the same headings, else as
 * guessed from the headings.
 */
function useColumnMapping(headings: readonly string[], from: Import | undefined) {
  const of = oneText(headings)
  const [said, setSaid] = useState<{ of: string; mapping: Mapping } | null>(null)
  const isSame = from !== undefined && oneText(from.columns) === of
  const earlier = useQuery({
    queryKey: ['imports', 'list'],
    queryFn: fetchImports,
    enabled: headings.length > 0 && !isSame,
  })
  const last = isSame ? from : earlier.data?.data.find(({ columns }) => oneText(columns) === of)
  const usual = useMemo((): Mapping => last?.mapping ?? guessMapping(headings), [last, headings])
  return {
    mapping: said?.of === of ? said.mapping : usual,
    setMapping: (mapping: Mapping): void => setSaid({ of, mapping }),
  }
}

/** Holds how a file is read: on which line its headings are, and what is chosen for all its lines. */
function useReading(chosen: CsvFile | null, from: Import | undefined) {
  const [reading, setReading] = useState<Reading>({
    currency: from?.currency ?? null,
    dates: from?.dates ?? null,
    decimals: from?.decimals ?? null,
  })
  // the line of the headings, if the reader chose one instead of the guess
  const [said, setHeadLine] = useState<number | null>(from?.headLine ?? null)
  const records = useMemo((): CsvRecord[] => (chosen ? readFirstRecords(chosen.text) : []), [chosen])
  const headingRecord = records.find(({ line }) => line === said) ?? findHeadings(records, rateHeads)
  const headings = useMemo(
    () => (headingRecord ? cleanHeadings(headingRecord.cells) : (from?.columns ?? [])),
    [headingRecord, from],
  )
  const sent = {
    ...(headingRecord !== undefined && { headLine: headingRecord.line }),
    ...(reading.currency !== null && { currency: reading.currency }),
    ...(reading.dates !== null && { dates: reading.dates }),
    ...(reading.decimals !== null && { decimals: reading.decimals }),
  }
  return { reading, setReading, records, headLine: headingRecord?.line ?? null, setHeadLine, headings, sent }
}

/** Holds the choices about a file. They begin with those of the check `from`, if there was one. */
export function useImportFile(from: Import | undefined) {
  const [chosen, setChosen] = useState<CsvFile | null>(from ? keptFile(from.id) : null)
  const [refused, setRefused] = useState<string | null>(null)
  const [platform, setPlatform] = useState<string | null>(from?.platform ?? null)
  const [totals, setTotals] = useState<Record<string, string>>(
    Object.fromEntries((from?.balances ?? []).map(({ currency, control }) => [currency, control ?? ''])),
  )
  const [skipErrors, setSkipErrors] = useState(from?.skipErrors ?? false)
  const { headings, sent, ...how } = useReading(chosen, from)
  const { mapping, setMapping } = useColumnMapping(headings, from)
  const refuse = (error: unknown): void => setRefused(explainRefusal(error))
  const take = (file: CsvFile): void => {
    const problem = findProblem(file)
    setRefused(problem)
    if (problem === null) setChosen(file)
  }
  const choose = async (file: File | null): Promise<void> => {
    setChosen(null)
    setRefused(null)
    how.setHeadLine(null)
    if (file) await readCsvFile(file).then(take, refuse)
  }
  const request = (dryRun: boolean): NewImport => ({
    csv: chosen?.text ?? '',
    fileName: chosen?.name ?? '',
    dryRun,
    skipErrors,
    mapping,
    ...(platform !== null && { platform }),
    ...sent,
    controlTotals: Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== '')),
  })
  const filled = Object.values(mapping)
  const hasWho = IDENTITIES.some((field) => filled.includes(field))
  return {
    chosen,
    refused,
    choose,
    take,
    refuse,
    platform,
    setPlatform,
    mapping,
    setMapping,
    hasEmail: filled.includes('email'),
    hasWho,
    leavesBalance: isPlatformExport(headings) && !filled.includes('balance'),
    ...how,
    columns: namedColumns(headings),
    totals,
    setTotals,
    skipErrors,
    setSkipErrors,
    request,
    isReady: chosen !== null && hasWho,
  }
}

export type ImportFile = ReturnType<typeof useImportFile>
