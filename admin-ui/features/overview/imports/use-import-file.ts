import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { guessMapping } from '../../../../src/words/import-heads.ts'
import { csvHeads, namedColumns } from '../../../lib/csv/csv-heads.ts'
import { type CsvFile, readCsvFile } from '../../../lib/csv/csv-text.ts'
import { fetchImports, type Import, type ImportField, type NewImport } from './imports.api.ts'
import { keptFile } from './kept-file.ts'
import { say } from './words.ts'

const MOST_CHARACTERS = 60_000_000
const MOST_COLUMNS = 200

type Mapping = Record<string, ImportField>

/** The server reads these invisible characters of a head as blanks. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu
const readHeads = (text: string): string[] => csvHeads(text).map((head) => head.replace(CONTROLS, ' '))

/** Joins heads to one text, to find files with the same heads. */
const oneText = (heads: readonly string[]): string => JSON.stringify(heads)

const findProblem = ({ text }: CsvFile): string | null => {
  if (text.length > MOST_CHARACTERS) return say('movein.too_large')
  const heads = readHeads(text)
  if (heads.length > MOST_COLUMNS) return say('movein.too_many_columns', { most: MOST_COLUMNS })
  return namedColumns(heads).length === 0 ? say('movein.empty') : null
}

/**
 * Returns which field each column fills: as the reader chose, else as in the last file with the same heads, else as
 * guessed from the heads.
 */
function useMeaning(heads: readonly string[], from: Import | undefined) {
  const of = oneText(heads)
  const [said, setSaid] = useState<{ of: string; mapping: Mapping } | null>(null)
  const isSame = from !== undefined && oneText(from.columns) === of
  const earlier = useQuery({
    queryKey: ['imports', 'list'],
    queryFn: fetchImports,
    enabled: heads.length > 0 && !isSame,
  })
  const last = isSame ? from : earlier.data?.data.find(({ columns }) => oneText(columns) === of)
  const usual = useMemo((): Mapping => last?.mapping ?? guessMapping(heads), [last, heads])
  return {
    mapping: said?.of === of ? said.mapping : usual,
    setMapping: (mapping: Mapping): void => setSaid({ of, mapping }),
  }
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
  const heads = useMemo(() => (chosen ? readHeads(chosen.text) : (from?.columns ?? [])), [chosen, from])
  const { mapping, setMapping } = useMeaning(heads, from)
  const take = (file: CsvFile): void => {
    const problem = findProblem(file)
    setRefused(problem)
    if (problem === null) setChosen(file)
  }
  const choose = async (file: File | null): Promise<void> => {
    setChosen(null)
    setRefused(null)
    if (file) take(await readCsvFile(file))
  }
  const request = (dryRun: boolean): NewImport => ({
    csv: chosen?.text ?? '',
    fileName: chosen?.name ?? '',
    dryRun,
    skipErrors,
    mapping,
    ...(platform !== null && { platform }),
    controlTotals: Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== '')),
  })
  const hasEmail = Object.values(mapping).includes('email')
  return {
    chosen,
    refused,
    choose,
    take,
    platform,
    setPlatform,
    mapping,
    setMapping,
    hasEmail,
    columns: namedColumns(heads),
    totals,
    setTotals,
    skipErrors,
    setSkipErrors,
    request,
    isReady: chosen !== null && hasEmail,
  }
}

export type ImportFile = ReturnType<typeof useImportFile>
