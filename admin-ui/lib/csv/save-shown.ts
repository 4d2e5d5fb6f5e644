import { apiFetch } from '../api/http.ts'
import { savesFile } from '../api/save-file.ts'
import { saveText } from './csv-writing.ts'

/**
 * Makes a link of a file of the API save it as people see its rows: `make` returns the text to save, of the API's text.
 */
export const savesShown = (href: string, name: string, make: (text: string) => string | Promise<string>) =>
  savesFile(href, async () => saveText(name, await make(await (await apiFetch(href)).text())))
