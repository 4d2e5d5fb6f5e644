import { loadLanguage } from './lib/text/language.ts'

// Labels are made while modules load, so the reader's language has to be loaded before the first of them.
void loadLanguage().then(() => import('./start.tsx'))
