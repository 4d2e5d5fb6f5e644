import { loadLanguage } from './lib/text/language.ts'

// Labels are said when a page is loaded: the reader's language has to be there before the first of them.
void loadLanguage().then(() => import('./start.tsx'))
