import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A cell of a workbook: text, a number, a day by its serial number, or a formula with the value that was saved. */
type WorkbookCell = string | number | { day: number } | { formula: string; value: number }

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const writeCell = (cell: WorkbookCell): string => {
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if ('day' in cell) return `<c s="1"><v>${cell.day}</v></c>`
  return `<c><f>${escapeXml(cell.formula)}</f><v>${cell.value}</v></c>`
}
const columnName = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${columnName(Math.floor(index / 26) - 1)}${columnName(index % 26)}`
const writeSheet = (rows: readonly (readonly WorkbookCell[])[]): string => {
  const lines = rows.map((row, at) => {
    const cells = row.map((cell, index) => writeCell(cell).replace('<c', `<c r="${columnName(index)}${at + 1}"`))
    return `<row r="${at + 1}">${cells.join('')}</row>`
  })
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Makes an .xlsx file of sheets by their names. */
export function makeWorkbook(sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>): Promise<Buffer> {
  const names = Object.keys(sheets)
  const list = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const links = names.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${links.join('')}<Relationship Id="s" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0"/></cellXfs></styleSheet>`,
  }
  Object.values(sheets).forEach((rows, at) => {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = writeSheet(rows)
  })
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}
