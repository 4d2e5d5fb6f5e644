/** People who may become clients. */
export const leads = {
  'leads.field.no_contact': 'is needed where there is no phone number',
  'leads.convert': 'Convert',
} as const
