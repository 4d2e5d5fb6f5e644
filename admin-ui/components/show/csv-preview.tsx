import { Select, Stack } from '@mantine/core'
import type { Encoding } from '../../lib/csv/csv-encoding.ts'
import { type CsvFile, pickPreviewLines, readAs, readSheet } from '../../lib/csv/csv-text.ts'
import { say } from '../../lib/text/words.ts'
import { ScrollRegion } from './scroll-region.tsx'
import './csv-preview.css'

const NAMES: Record<Encoding, string> = {
  'utf-8': say('parts.encoding.utf-8'),
  'utf-16le': say('parts.encoding.utf-16'),
  'utf-16be': say('parts.encoding.utf-16'),
  'windows-1250': say('parts.encoding.windows-1250'),
  'windows-1251': say('parts.encoding.windows-1251'),
  'windows-1252': say('parts.encoding.windows-1252'),
}

/** At most this many characters of a line are shown. */
const LONGEST = 300

type ReadAsProps = {
  file: CsvFile
  onChange: (file: CsvFile) => void
  /** Called if another sheet of a workbook cannot be read. */
  onRefused: (error: unknown) => void
}

/** Shows some lines of a file as they were decoded; a reader who sees wrong letters chooses another encoding. */
export const ReadAs = ({ file, onChange, onRefused }: ReadAsProps) => (
  <Stack gap="xs">
    {file.workbook ? (
      <Select
        label={say('parts.csv.sheet')}
        data={file.workbook.sheets}
        allowDeselect={false}
        value={file.workbook.sheet}
        onChange={(sheet) => {
          if (file.workbook && sheet !== null && sheet !== file.workbook.sheet)
            void readSheet(file.workbook.file, file.bytes, sheet).then(onChange, onRefused)
        }}
      />
    ) : (
      <Select
        label={say('parts.csv.encoding')}
        description={say('parts.csv.encoding_hint')}
        data={file.encodings.map((value) => ({ value, label: NAMES[value] }))}
        readOnly={file.encodings.length === 1}
        allowDeselect={false}
        value={file.encoding}
        onChange={(value) => {
          const encoding = file.encodings.find((one) => one === value)
          if (encoding && encoding !== file.encoding) onChange(readAs(file, encoding))
        }}
      />
    )}
    <ScrollRegion className="read-lines" label={say('parts.csv.lines')}>
      {pickPreviewLines(file.text).map(({ number, text }) => (
        <div key={number}>
          <span className="read-line-number">{number}</span>
          {text.slice(0, LONGEST)}
        </div>
      ))}
    </ScrollRegion>
  </Stack>
)
