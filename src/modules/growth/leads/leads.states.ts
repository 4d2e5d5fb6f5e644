import { defineStates } from '../../../platform/db/states.ts'

/** RULES “Leads”. Work goes back and forth; only conversion is for good, and only `convert` reaches it. */
export const leadStates = defineStates({
  new: ['contacted', 'nurture', 'qualified', 'unqualified', 'junk', 'converted'],
  contacted: ['new', 'nurture', 'qualified', 'unqualified', 'junk', 'converted'],
  nurture: ['new', 'contacted', 'qualified', 'unqualified', 'junk', 'converted'],
  qualified: ['new', 'contacted', 'nurture', 'unqualified', 'junk', 'converted'],
  unqualified: ['new', 'contacted', 'nurture', 'qualified'],
  junk: ['new'],
  converted: [],
})
