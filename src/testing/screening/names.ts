/**
 * Words for names of invented people. Each word is in its own script, followed by a colon and its Latin spellings in
 * lists and passports. No real person is meant; only the spellings are real.
 */
const ARABIC = `محمد:Mohamed,Muhammad,Mohammed,Mohammad,Muhammed,Mohamad أحمد:Ahmed,Ahmad علي:Ali,Aly على:Ali حسن:Hassan,Hasan
حسين:Hussein,Husayn,Hossein,Husain محمود:Mahmoud,Mahmud,Mahmood خالد:Khalid,Khaled عمر:Omar,Umar عثمان:Othman,Uthman,Osman
إبراهيم:Ibrahim,Ebrahim إسماعيل:Ismail,Ismael,Esmail يوسف:Yusuf,Yousef,Youssef,Yusif طارق:Tariq,Tarek,Tarak
سعيد:Said,Saeed,Sa'id سالم:Salem,Salim صالح:Saleh,Salih,Salah مصطفى:Mustafa,Mostafa,Moustafa كريم:Karim,Kareem
جمال:Jamal,Gamal,Djamel ناصر:Nasser,Nasir,Naser فيصل:Faisal,Faysal,Feisal وليد:Walid,Waleed,Oualid رشيد:Rashid,Rasheed,Rachid
حمزة:Hamza,Hamzah فاطمة:Fatima,Fatimah,Fatma خديجة:Khadija,Khadijah عائشة:Aisha,Ayesha,Aicha أسامة:Usama,Osama,Oussama
قاسم:Qasim,Qassem,Kassem,Qasem يحيى:Yahya,Yehia عيسى:Issa,Isa,Eisa موسى:Musa,Moussa,Mousa هاني:Hani,Hany رجب:Ragab,Rajab
سامي:Sami,Samy زكي:Zaki,Zaky بشير:Bashir,Basheer,Bachir نبيل:Nabil,Nabeel منصور:Mansour,Mansur,Mansoor
جابر:Jaber,Jabir,Gaber حامد:Hamed,Hamid مجدي:Magdi,Majdi شريف:Sharif,Sherif,Shareef,Cherif لطفي:Lotfi,Lutfi
عادل:Adel,Adil فؤاد:Fuad,Fouad,Foad رياض:Riyad,Riad,Riyadh مروان:Marwan,Marouane زياد:Ziad,Ziyad فرج:Faraj,Farag
توفيق:Tawfiq,Tawfik,Toufik أيمن:Ayman,Aiman ياسر:Yasser,Yasir,Yaser بكر:Bakr,Baker أنور:Anwar,Anouar إدريس:Idris,Idriss,Driss
عبد_الله:Abdullah,Abdallah,Abdulla,Abd+Allah عبد_الرحمن:Abdul+Rahman,Abdulrahman,Abdel+Rahman,Abdurrahman,Abd+al-Rahman
عبد_العزيز:Abdulaziz,Abdul+Aziz,Abd+al-Aziz,Abdelaziz عبد_القادر:Abdelkader,Abdul+Qadir,Abdulqader,Abd+al-Qadir
عبد_الحميد:Abdelhamid,Abdul+Hameed,Abd+al-Hamid عبد_الكريم:Abdul+Karim,Abdelkarim,Abdulkarim عبد_الفتاح:Abdel+Fattah,Abdul+Fatah
سيف_الدين:Saif+al-Din,Seif+Eddine,Sayf+al-Din صلاح_الدين:Salah+al-Din,Salahuddin,Salaheddine نور_الدين:Nur+al-Din,Noureddine,Nureddin`
const ARABIC_FAMILIES = `الحربي:al-Harbi,Alharbi,Al+Harbi القحطاني:al-Qahtani,Alqahtani,al-Kahtani الشامي:al-Shami,al-Chami
المصري:al-Masri,el-Masri,al-Misri البغدادي:al-Baghdadi,el-Baghdadi الليبي:al-Libi,al-Liby التكريتي:al-Tikriti السعدي:al-Saadi,al-Sa'di,Saadi
الزهراني:al-Zahrani,Alzahrani العمري:al-Omari,al-Umari,al-Amri الدوري:al-Duri,al-Douri الجبوري:al-Jaburi,al-Jabouri,al-Juburi
التميمي:al-Tamimi الأنصاري:al-Ansari,Ansari الحسني:al-Hasani,al-Hassani,Hassani الكردي:al-Kurdi,Kurdi الطرابلسي:al-Trabelsi,Trabelsi
بن_صالح:Ben+Saleh,bin+Saleh الغامدي:al-Ghamdi,Alghamdi العوني:Ouni,al-Aouni الحرزي:Harzi,al-Harzi السباعي:al-Sebai,al-Siba'i,Elsebai
عزام:Azzam بكري:Bakri,Bakry نصار:Nassar,Nasar حداد:Haddad,Hadad خوري:Khoury,Khouri,Khuri شاهين:Shahin,Shaheen,Chahine
درويش:Darwish,Darwich,Darwiche قدورة:Qaddura,Kaddoura الظاهري:al-Zahiri,al-Dhaheri,al-Zaheri الضاري:al-Dari,al-Dhari
الثقفي:al-Thaqafi,al-Thakafi الذهبي:al-Dhahabi,al-Zahabi المعموري:al-Mamuri,al-Maamouri عياش:Ayyash,Ayash,Ayach غانم:Ghanem,Ghanim`
const PERSIAN = `رضا:Reza,Riza مهدی:Mehdi,Mahdi جواد:Javad,Jawad حمید:Hamid وحید:Vahid سعید:Saeid,Saeed محسن:Mohsen,Muhsin مجید:Majid,Majeed
بهروز:Behrouz,Behruz داریوش:Dariush,Daryoush کامران:Kamran فرهاد:Farhad پرویز:Parviz,Parwiz ناصر:Naser,Nasser اکبر:Akbar گلبدین:Gulbuddin,Golbodin`
const PERSIAN_FAMILIES = `رضایی:Rezaei,Rezai,Rezaie احمدی:Ahmadi حسینی:Hosseini,Husseini کریمی:Karimi جعفری:Jafari,Jaafari محمدی:Mohammadi,Muhammadi
قاسمی:Ghasemi,Qasemi,Qassemi سلیمی:Salimi یزدی:Yazdi تهرانی:Tehrani,Tahrani فرهادی:Farhadi زاهدی:Zahedi,Zahidi نوری:Nouri,Nuri شیرازی:Shirazi پورمند:Pourmand,Purmand`
const CYRILLIC = `Сергей:Sergei,Sergey,Serguei Владимир:Vladimir,Wladimir Дмитрий:Dmitry,Dmitri,Dmitriy Александр:Aleksandr,Alexander,Alexandr
Алексей:Aleksei,Alexey,Aleksey Юрий:Yuri,Yury,Yuriy,Iouri Михаил:Mikhail,Michail Николай:Nikolai,Nikolay Игорь:Igor Олег:Oleg
Евгений:Evgeny,Yevgeny,Yevgeniy Виктор:Viktor,Victor Андрей:Andrei,Andrey Павел:Pavel Татьяна:Tatyana,Tatiana Наталья:Natalya,Natalia
Ольга:Olga Геннадий:Gennady,Gennadiy Анатолий:Anatoly,Anatoliy Ярослав:Yaroslav,Iaroslav Ксения:Ksenia,Kseniya,Xenia Фёдор:Fyodor,Fedor`
const CYRILLIC_STEMS = `Щерб:Shcherb,Scherb Журавл:Zhuravl,Jouravl Цвет:Tsvet,Cvet Хар:Khar,Har Ром:Rom Куз:Kuz Чер:Cher,Tcher Шубн:Shubn
Волк:Volk,Wolk Петр:Petr Сид:Sid Юд:Yud,Iud Яким:Yakim,Iakim Глад:Glad Белоус:Belous Трет:Tret Мельн:Meln Зим:Zim Ларин:Larin Гус:Gus Быстр:Bystr,Bistr`
const CYRILLIC_ENDS = `ов:ov,off ев:ev,iev енко:enko,yenko ин:in овский:ovsky,ovskiy,ovski`
const HANGUL_FAMILIES = `김:Kim 이:Lee,Ri,Yi,Rhee 리:Ri 박:Pak,Park,Bak 최:Choe,Choi 정:Jong,Jung,Chung,Jeong 강:Kang 조:Jo,Cho 윤:Yun,Yoon 장:Jang,Chang
임:Im,Lim,Rim 한:Han 오:O,Oh 신:Sin,Shin 류:Ryu,Yu 백:Paek,Baek 현:Hyon,Hyun`
const HANGUL = `영:Yong,Young,Yeong 철:Chol,Chul,Cheol 수:Su,Soo 민:Min 성:Song,Sung,Seong 호:Ho 진:Jin,Chin 경:Kyong,Kyung,Gyeong 원:Won 은:Un,Eun
정:Jong,Jung,Jeong 일:Il 남:Nam 학:Hak 동:Tong,Dong 명:Myong,Myung,Myeong 혁:Hyok,Hyuk,Hyeok 국:Kuk,Guk,Kook 광:Kwang,Gwang 선:Son,Sun,Seon 용:Yong 춘:Chun 봉:Pong,Bong`
const HAN_FAMILIES = `王:Wang 李:Li 张:Zhang 刘:Liu 陈:Chen 杨:Yang 赵:Zhao 黄:Huang 周:Zhou 吴:Wu 徐:Xu 孙:Sun 马:Ma 朱:Zhu 胡:Hu 郭:Guo 何:He 林:Lin 高:Gao 罗:Luo`
const HAN = `明:Ming 伟:Wei 芳:Fang 强:Qiang 磊:Lei 军:Jun 洋:Yang 勇:Yong 艳:Yan 杰:Jie 涛:Tao 超:Chao 霞:Xia 平:Ping 刚:Gang 桂:Gui 英:Ying 建:Jian 国:Guo 华:Hua 志:Zhi 海:Hai 晓:Xiao`
const HEBREW = `דוד:David משה:Moshe יוסף:Yosef,Joseph אברהם:Avraham,Abraham יעקב:Yaakov,Jacob שלמה:Shlomo יצחק:Yitzhak,Itzhak חיים:Haim,Chaim נועם:Noam אורי:Uri,Ori עומר:Omer רחל:Rachel,Rahel מרים:Miriam דניאל:Daniel`
const HEBREW_FAMILIES = `כהן:Cohen,Kohen לוי:Levi,Levy מזרחי:Mizrahi,Mizrachi פרץ:Peretz,Perez ביטון:Biton,Bitton דהן:Dahan אברהמי:Avrahami פרידמן:Friedman,Fridman מלכה:Malka אזולאי:Azoulay,Azulay גבאי:Gabay,Gabbai חדד:Hadad,Haddad שפירא:Shapira,Shapiro`
const GREEK = `Γεώργιος:Georgios,Giorgos,Yiorgos Ιωάννης:Ioannis,Yiannis,Giannis Νικόλαος:Nikolaos,Nicolaos Δημήτρης:Dimitris Παναγιώτης:Panagiotis,Panayiotis Ευάγγελος:Evangelos,Evaggelos Χρήστος:Christos,Hristos Μπάμπης:Bampis,Babis Ελένη:Eleni Σπύρος:Spyros,Spiros`
const GREEK_FAMILIES = `Παπαδόπουλος:Papadopoulos Γεωργίου:Georgiou Κωνσταντινίδης:Konstantinidis,Constantinides Χατζής:Hatzis,Chatzis Ντούρος:Douros,Ntouros Μπακάλης:Bakalis,Mpakalis Οικονόμου:Oikonomou,Economou Ευθυμίου:Efthymiou,Efthimiou Γκίκας:Gkikas,Gikas Τσιμπίδης:Tsibidis,Tsimpidis`
const GEORGIAN = `გიორგი:Giorgi დავით:Davit,David ნიკოლოზ:Nikoloz ზურაბ:Zurab ვახტანგ:Vakhtang თამარ:Tamar,Thamar ქეთევან:Ketevan,Qetevan ლევან:Levan ჯემალ:Jemal,Dzhemal`
const GEORGIAN_FAMILIES = `ბერიძე:Beridze კაპანაძე:Kapanadze მჭედლიშვილი:Mchedlishvili ჩხეიძე:Chkheidze ხუციშვილი:Khutsishvili ღვინიაშვილი:Ghviniashvili,Gviniashvili ყიფიანი:Kipiani,Qipiani წერეთელი:Tsereteli`
const ARMENIAN = `Արմեն:Armen Տիգրան:Tigran Հակոբ:Hakob,Hagop Գրիգոր:Grigor,Krikor Վարդան:Vardan,Vartan Սարգիս:Sargis,Sarkis Աննա:Anna Հայկ:Hayk,Haik`
const ARMENIAN_FAMILIES = `Պետրոսյան:Petrosyan,Petrosian Սարգսյան:Sargsyan,Sarkisian Հարությունյան:Harutyunyan,Harutiunian Ղազարյան:Ghazaryan,Kazarian Խաչատրյան:Khachatryan,Khachaturian Գևորգյան:Gevorgyan,Gevorkyan Մկրտչյան:Mkrtchyan`

/** A word of a name: in its own script, and its Latin spellings. */
type Spelled = { own: string; latin: readonly string[] }
const read = (words: string): Spelled[] =>
  words.split(/\s+/).map((word) => {
    const [own = '', latin = ''] = word.split(':')
    return { own: own.replaceAll('_', ' '), latin: latin.replaceAll('+', ' ').split(',') }
  })

/**
 * How the words of a script become a name: given names, then families; names of East Asia are written without spaces.
 */
export type Script = {
  name: string
  given: readonly Spelled[]
  families: readonly Spelled[]
  /** The least and the most given names of a person. */
  givenNames: readonly [number, number]
  together?: true
}
const stems = read(CYRILLIC_STEMS).flatMap((stem) =>
  read(CYRILLIC_ENDS).map((end) => ({
    own: stem.own + end.own,
    latin: stem.latin.flatMap((first) => end.latin.map((last) => first + last)),
  })),
)
export const SCRIPTS: readonly Script[] = [
  { name: 'Arabic', given: read(ARABIC), families: read(ARABIC_FAMILIES), givenNames: [1, 3] },
  { name: 'Persian', given: read(PERSIAN), families: read(PERSIAN_FAMILIES), givenNames: [1, 2] },
  { name: 'Cyrillic', given: read(CYRILLIC), families: stems, givenNames: [1, 1] },
  { name: 'Hangul', given: read(HANGUL), families: read(HANGUL_FAMILIES), givenNames: [2, 2], together: true },
  { name: 'Chinese', given: read(HAN), families: read(HAN_FAMILIES), givenNames: [1, 2], together: true },
  { name: 'Hebrew', given: read(HEBREW), families: read(HEBREW_FAMILIES), givenNames: [1, 2] },
  { name: 'Greek', given: read(GREEK), families: read(GREEK_FAMILIES), givenNames: [1, 1] },
  { name: 'Georgian', given: read(GEORGIAN), families: read(GEORGIAN_FAMILIES), givenNames: [1, 1] },
  { name: 'Armenian', given: read(ARMENIAN), families: read(ARMENIAN_FAMILIES), givenNames: [1, 1] },
]

const ordinary = (line: string): { given: string[]; families: string[] } => {
  const [given = '', families = ''] = line.split(' | ')
  return { given: given.split(' '), families: families.split(' ') }
}
/** Given names and families of ordinary clients; each line is for one country. */
export const ORDINARY =
  `James Mary Robert Linda David Susan Emma Oliver Harry Chloe | Smith Jones Taylor Brown Wilson Evans Walker Wright Hughes Cooper
Hans Anna Jürgen Sabine Lukas Greta Stefan Heike Felix Petra | Müller Schmidt Fischer Weber Wagner Becker Hoffmann Schäfer Krüger Lehmann
Jean Marie Pierre Camille Luc Sophie Hugo Inès Antoine Claire | Martin Bernard Dubois Moreau Laurent Girard Lefèvre Roux Fournier Mercier
Maria Ana José Carmen Luis Lucía Javier Marta Pablo Elena | García Fernández González López Martínez Sánchez Romero Torres Navarro Ruiz
João Ana Pedro Inês Tiago Beatriz Rui Sofia Miguel Carla | Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Gonçalves
Marco Giulia Luca Chiara Andrea Francesca Paolo Elisa Matteo Sara | Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco
Andreas Maria Kostas Eleni Yiannis Christina Panayiotis Katerina Michalis Despina | Georgiou Christodoulou Ioannou Papadopoulos Nikolaou Charalambous Pavlou Vasiliou Antoniou Demetriou
Piotr Anna Tomasz Katarzyna Łukasz Agnieszka Marek Ewa Paweł Magdalena | Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Dąbrowski Mazur Krawczyk
Jan Eva Jiří Jana Tomáš Lenka Petr Hana Martin Lucie | Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý Horák Němec
Ion Elena Andrei Ioana Mihai Maria Radu Ana Vlad Cristina | Popescu Ionescu Popa Dumitru Stan Stoica Gheorghe Matei Ciobanu Rusu
Ivan Maria Georgi Elena Dimitar Ivanka Petar Desislava Nikolay Rositsa | Ivanov Petrov Georgiev Dimitrov Nikolov Todorov Stoyanov Kolev Iliev Angelov
Marko Ana Nikola Jelena Stefan Milica Luka Ivana Dragan Marija | Jovanović Petrović Nikolić Marković Đorđević Stojanović Ilić Pavlović Horvat Kovačević
Dmitry Anna Igor Olga Maxim Irina Artem Svetlana Kirill Ekaterina | Smirnov Popov Sokolov Lebedev Kozlov Novikov Morozov Egorov Orlov Nikitin
Oleksandr Oksana Taras Iryna Bohdan Halyna Andriy Nadiia Mykola Yulia | Shevchenko Kovalenko Bondarenko Tkachenko Kravchenko Melnyk Marchenko Lysenko Rudenko Savchenko
Mehmet Ayşe Mustafa Fatma Emre Elif Burak Zeynep Murat Selin | Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Arslan Doğan
Omar Layla Karim Nour Sami Rania Tarek Dina Hani Mona | Haddad Mansour Khalil Farah Nassar Saleh Aziz Hamdan Shalabi Fahmy
Reza Maryam Amir Sara Arash Shirin Babak Leila Kaveh Mina | Moradi Rahimi Bagheri Sadeghi Rostami Ebrahimi Amini Heydari Shirazi Tehrani
Rahul Priya Amit Sunita Vijay Anita Arjun Kavita Sanjay Pooja | Sharma Patel Singh Kumar Gupta Reddy Nair Iyer Mehta Desai
Wei Na Ming Fang Jun Li Hao Yan Bo Xin | Tang Deng Cai Peng Zeng Xie Han Feng Cheng Ding
Minh Lan Tuan Huong Nam Thu Long Mai Hung Linh | Nguyen Tran Le Pham Hoang Phan Vu Dang Bui Do
Minjun Seoyeon Jihoon Soyoung Donghyun Yuna Sangwoo Hana Taeyang Mira | Kim Lee Park Choi Seo Kwon Hwang Ahn Song Hong
Hiroshi Yuki Takashi Akiko Kenji Naoko Daisuke Emi Satoshi Haruka | Tanaka Suzuki Watanabe Yamamoto Nakamura Kobayashi Kato Yoshida Sasaki Matsumoto
Chinedu Ngozi Emeka Amaka Tunde Folake Musa Aisha Ibrahim Blessing | Okafor Adeyemi Balogun Eze Okonkwo Bello Abubakar Ogunleye Nwosu Danjuma
Kwame Ama Kofi Abena Juma Wanjiru Otieno Achieng Thabo Lerato | Mensah Owusu Boateng Kamau Mwangi Odhiambo Dlamini Nkosi Moyo Banda
Erik Astrid Lars Ingrid Søren Freja Mikko Aino Jonas Elsa | Johansson Larsen Nielsen Andersen Virtanen Korhonen Berg Lindqvist Hansen Nygård
Bayu Siti Agus Dewi Budi Sri Rizky Putri Arif Ratna | Santoso Wijaya Saputra Hidayat Kusuma Setiawan Gunawan Nugroho Pratama Susanto`
    .split('\n')
    .map(ordinary)

/** Families and given names of listed people whose script is Latin. */
export const LATIN = ordinary(
  'Carlos Martha Jesús Griselda Ismael Rosa Fabio Ovidio Gilberto Nelly Iván Hermelinda Dragomir Slavko Radoslav Zdravko Jean-Bosco Innocent Laurent Désiré Emmanuel Prosper Goodwill Augustine Tafadzwa Sebastião | Garcia Rodriguez Quintero Zambada Arellano Beltran Caro Orozco Urrego Restrepo Castaño Cardenas Vujović Mladenić Karanović Bulatović Mudacumura Ntaganda Habimana Kabila Mugabe Chiwenga Nyikayaramba Dabengwa Tavares Guevara',
)
/** Words of listed companies and ships. */
export const COMPANIES =
  'Gulf Metal Trading Northern Star Shipping General Petroleum Min Ministry Dmi Li Al-Nusra Front Ana Santos Golden Light Export Import Maria Holding Industrial Bank Export Jabhat Ahl Karim Jewelry Exchange Ocean Energy Kim Machinery Rossi Garcia Construction'.split(
    ' ',
  )
export const SHIPS =
  'AN SAN,ANA MARIA,LI MING,KUM SONG,SEA ROSE,MARTIN,HANA,SANTOS STAR,PETROV,GOLDEN LARK,TANAKA MARU,OMAR'.split(',')
