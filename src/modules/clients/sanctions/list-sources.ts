/**
 * The published lists that can be loaded: OFAC's SDN list (sdn.xml, or
 * SDN.CSV with ALT.CSV and ADD.CSV), the EU's and the UN's consolidated XML.
 */
export const LIST_SOURCES = ['ofac_sdn', 'eu', 'un'] as const
export type ListSource = (typeof LIST_SOURCES)[number]

/** The three files of OFAC's list in columns. */
export const OFAC_FILES = ['sdn', 'alt', 'add'] as const
export type OfacFile = (typeof OFAC_FILES)[number]
