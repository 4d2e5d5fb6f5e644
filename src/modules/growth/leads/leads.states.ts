import { defineStates } from '../../../platform/db/states.ts'

/** A lead moves freely between most states; only `convert` makes it converted, for good. RULES “Leads”. */
export const leadStates = defineStates({
  new: ['contacted', 'nurture', 'qualified', 'unqualified', 'junk', 'converted'],
  contacted: ['new', 'nurture', 'qualified', 'unqualified', 'junk', 'converted'],
  nurture: ['new', 'contacted', 'qualified', 'unqualified', 'junk', 'converted'],
  qualified: ['new', 'contacted', 'nurture', 'unqualified', 'junk', 'converted'],
  unqualified: ['new', 'contacted', 'nurture', 'qualified'],
  junk: ['new'],
  converted: [],
})
