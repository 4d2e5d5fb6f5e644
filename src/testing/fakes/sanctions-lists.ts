/** The files contain invented people in the published formats. */

/** Returns the UN's consolidated XML with these persons, one name each. */
export const unList = (...names: readonly string[]): string =>
  `<CONSOLIDATED_LIST dateGenerated="2026-01-04"><INDIVIDUALS>${names
    .map(
      (name, index) =>
        `<INDIVIDUAL><DATAID>${index + 1}</DATAID><FIRST_NAME>${name}</FIRST_NAME><REFERENCE_NUMBER>TSi.${index + 1}</REFERENCE_NUMBER></INDIVIDUAL>`,
    )
    .join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`

/** Returns the EU's consolidated XML with these persons, one name each. */
export const euList = (...names: readonly string[]): string =>
  `<export generationDate="2026-01-05">${names
    .map(
      (name, index) =>
        `<sanctionEntity logicalId="${index + 1}"><subjectType code="person"/><nameAlias wholeName="${name}"/></sanctionEntity>`,
    )
    .join('')}</export>`

/** Returns a row of SDN.CSV with values in the used ones of its twelve columns. */
export const sdnRow = (reference: number, name: string, type: string, programme: string, remarks: string): string =>
  `${reference},"${name}",${type === '' ? '-0- ' : `"${type}"`},"${programme}",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,${remarks === '' ? '-0- ' : `"${remarks}"`}\r\n`

/** OFAC's three files: weak aliases in the remarks, strong ones in ALT.CSV only. */
export const OFAC = {
  sdn:
    sdnRow(
      101,
      'VOLKOV, Sergei Ivanovich',
      'individual',
      'XPROG1',
      "DOB 12 Mar 1961; POB Omsk, Russia; nationality Russia; a.k.a. 'WOLKOW, Sergej'.",
    ) +
    sdnRow(102, 'NORTHWIND SHIPPING LLC', '', 'XPROG2', '') +
    `${sdnRow(103, 'HADDAD, Karim', 'individual', 'XPROG1', 'DOB circa 1970.')}\u001a`,
  alt: '101,11,"aka","BARKOV, Dmitri",-0- \r\n102,12,"fka","SOUTHWIND LINES",-0- \r\n\u001a',
  add: '101,21,"1 Invented Street","Dubai","United Arab Emirates",-0- \r\n103,22,-0- ,-0- ,"Lebanon",-0- \r\n\u001a',
}

/** The same list as sdn.xml. */
export const OFAC_XML = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>01/05/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  <sdnEntry><uid>101</uid><firstName>Sergei Ivanovich</firstName><lastName>VOLKOV</lastName><sdnType>Individual</sdnType>
    <programList><program>XPROG1</program><program>XPROG9</program></programList>
    <akaList><aka><uid>11</uid><type>a.k.a.</type><category>strong</category><lastName>BARKOV</lastName><firstName>Dmitri</firstName></aka>
      <aka><uid>13</uid><type>a.k.a.</type><category>weak</category><lastName>WOLKOW</lastName><firstName>Sergej</firstName></aka></akaList>
    <addressList><address><uid>21</uid><city>Dubai</city><country>United Arab Emirates</country></address></addressList>
    <nationalityList><nationality><uid>31</uid><country>Russia</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <dateOfBirthList><dateOfBirthItem><uid>41</uid><dateOfBirth>12 Mar 1961</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
  <sdnEntry><uid>102</uid><lastName>NORTHWIND SHIPPING LLC</lastName><sdnType>Entity</sdnType><programList><program>XPROG2</program></programList>
    <akaList><aka><uid>12</uid><type>f.k.a.</type><category>strong</category><lastName>SOUTHWIND LINES</lastName></aka></akaList></sdnEntry>
  <sdnEntry><uid>103</uid><firstName>Karim</firstName><lastName>HADDAD</lastName><sdnType>Individual</sdnType><programList><program>XPROG1</program></programList>
    <dateOfBirthList><dateOfBirthItem><uid>43</uid><dateOfBirth>circa 1970</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList></sdnEntry>
</sdnList>`

export const EU = `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-01-05">
  <sanctionEntity logicalId="55" euReferenceNumber="EU.1.2">
    <regulation programme="TST"/><subjectType code="person" classificationCode="P"/>
    <nameAlias wholeName="Анна Петровна Смирнова"/><nameAlias wholeName="Anna Smirnova"/>
    <birthdate birthdate="1984-07-02" year="1984"/><citizenship countryIso2Code="RU"/>
  </sanctionEntity>
  <sanctionEntity logicalId="56"><subjectType code="enterprise" classificationCode="E"/><nameAlias wholeName="Gulf Metal Trading"/></sanctionEntity>
</export>`
export const UN = `<CONSOLIDATED_LIST dateGenerated="2026-01-04"><INDIVIDUALS><INDIVIDUAL>
  <DATAID>900</DATAID><FIRST_NAME>Yusuf</FIRST_NAME><SECOND_NAME>Omar</SECOND_NAME><THIRD_NAME>Al Rashid</THIRD_NAME>
  <UN_LIST_TYPE>Test</UN_LIST_TYPE><REFERENCE_NUMBER>TSi.001</REFERENCE_NUMBER>
  <NATIONALITY><VALUE>Iraq</VALUE></NATIONALITY><INDIVIDUAL_ALIAS><ALIAS_NAME>Abu Yusuf al-Rashidi</ALIAS_NAME></INDIVIDUAL_ALIAS>
  <INDIVIDUAL_DATE_OF_BIRTH><YEAR>1972</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
</INDIVIDUAL></INDIVIDUALS><ENTITIES><ENTITY><DATAID>901</DATAID><FIRST_NAME>Desert Relief Fund</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`
