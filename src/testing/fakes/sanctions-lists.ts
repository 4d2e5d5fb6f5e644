/** Invented people in the published formats. */

/** The UN's consolidated XML with these persons, one name each. */
export const unList = (...names: readonly string[]): string =>
  `<CONSOLIDATED_LIST dateGenerated="2026-01-04"><INDIVIDUALS>${names
    .map(
      (name, index) =>
        `<INDIVIDUAL><DATAID>${index + 1}</DATAID><FIRST_NAME>${name}</FIRST_NAME><REFERENCE_NUMBER>TSi.${index + 1}</REFERENCE_NUMBER></INDIVIDUAL>`,
    )
    .join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`

/** The EU's consolidated XML with these persons, one name each. */
export const euList = (...names: readonly string[]): string =>
  `<export generationDate="2026-01-05">${names
    .map(
      (name, index) =>
        `<sanctionEntity logicalId="${index + 1}"><subjectType code="person"/><nameAlias wholeName="${name}"/></sanctionEntity>`,
    )
    .join('')}</export>`
