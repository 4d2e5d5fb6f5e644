/** Fields that many forms have. */
export const fields = {
  'fields.language': 'Language',
  'fields.no_language': 'No such language',
  'fields.phone': 'Phone',
  'fields.phone_example': '+44 20 7946 0000',
} as const
