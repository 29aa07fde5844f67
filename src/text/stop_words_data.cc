#include "text/stop_words_data.h"

// Written for this project. What a list should cover was checked against those of the Snowball project; a word that is
// also a common noun or verb of its language is left out where grammar does not need it.
namespace idne::stop_words {

const std::string_view kCatalan =
    R"(el la els les lo un una uns unes l d de del dels al als a en amb per pel pels sense sobre sota entre des fins cap
contra segons durant mitjançant i o ni però sinó encara que perquè doncs si com quan on mentre així llavors també
tampoc jo tu ell ella nosaltres vosaltres ells elles vostè vostès em et es ens us li hi ho me te se mi ti meu meva
meus meves teu teva teus teves seu seva seus seves nostre nostra nostres vostre vostra vostres llur aquest aquesta
aquests aquestes aquell aquella aquells aquelles això allò mateix mateixa mateixos mateixes què qui quin quina quins
quines qual quals quant quanta quants quantes algun alguna alguns algunes algú cosa ningú res altre altra altres tot
tota tots totes cada qualsevol diversos diverses ambdós molt molta molts moltes poc poca pocs poques tant tanta tants
tantes tan més menys força no sí ja sempre mai gairebé només potser aquí allà allí ara avui ahir demà abans després
aviat tard bé malament dins fora damunt davall davant darrere prop lluny és sóc ets som sou són ser sigut estat era
eren serà seran seria fou fos sigui siguin està estan estar estava ha he has hem heu han haver hagut havia havien
haurà hagi té tinc tens tenim tenen tenir tenia pot poden poder podia podria deu fa fan fer feia va van vaig vam anar
etc)";

const std::string_view kChinese =
    R"(的 了 是 在 和 与 與 及 或 也 都 就 而 但 但是 并 並 且 而且 并且 並且 又 还 還 还是 還是 不 没 沒 没有 沒有 不是 很 太 更 最 只 才 再 已 已经 已經 曾 将 將 会 會 能 可以 可 要 想 应该
應該 必须 必須 我 你 他 她 它 我们 我們 你们 你們 他们 他們 她们 她們 它们 它們 自己 咱们 您 大家 人们 这 這 那 哪 这个 這個 那个 那個 这些 這些 那些 这里 這裡 那里 那裡 这样 這樣 那样 那樣 此
其 该 該 本 某 每 各 各种 什么 什麼 谁 誰 怎么 怎麼 怎样 如何 为什么 為什麼 多少 几 幾 哪里 哪些 何 一 一个 一個 一种 一種 一些 个 個 们 們 些 种 次 等 第 等等 把 被 给 給 让 讓 使 从 從
到 向 往 对 對 对于 對於 关于 關於 于 於 以 以及 为 為 为了 為了 因 因为 因為 所以 由 由于 由於 按 按照 根据 根據 跟 同 比 如 如果 若 虽然 雖然 然而 不过 不過 则 則 之 所 者 上 下 中 里 裡
内 外 前 后 後 时 時 间 左右 着 著 过 過 得 地 吗 嗎 呢 吧 啊 呀 嘛 啦 有 来 來 去 说 做 用 当 當 既 即 虽 却 卻 因此 于是 然后 之后 之前 其中 其他 另外 通过 進行 进行 非常 可能 一直
一样 现在 現在 时候
也可以 就不 还有 還有 很多 别的 別的 想用 新的 行)";

const std::string_view kCzech =
    R"(a i o u v ve s se z ze k ke na do od po za při před přes pod nad bez pro proti mezi kolem podle během vedle kromě
kvůli díky místo já ty on ona ono my vy oni ony mě mne mi mně mnou tebe tě ti tobě tebou jeho ho něho jej něj jemu mu
němu jím ním její ji ní nás nám námi vás vám vámi jich jim jimi nich nim nimi sebe si sobě sebou můj moje má mé moji
tvůj tvoje svůj svoje svá své svého svém svou svým náš naše váš vaše ten ta to tohoto tomto tomu tom tím těch těm těmi
tu tou tento tato toto tyto této těchto těmto takový taková takové takových onen sám sama samo kdo koho komu kým co
čeho čemu čím který která které kteří kterého kterému kterým kterých kterými kterou jaký jaká jaké čí kolik kde kam
odkud kudy proč jak kdy někdo něco nikdo nic každý každá každé všechno všechny všichni všech vše žádný žádná žádné
jiný jiná jiné jiných několik mnoho málo více méně nejvíce velmi že aby ale nebo anebo ani avšak však proto protože
neboť když pokud jestli jestliže zda než jako ač ačkoli tedy tak také též je jsem jsi jsme jste jsou být byl byla bylo
byli byly bude budou budu budeme byste bych by bychom není nejsou mám máš máme mají mít měl měla může mohou mohl lze
musí musel ne ano jen jenom pouze už již ještě vždy nikdy často někdy tady zde tam teď nyní pak potom právě asi téměř
skoro spíše přece dokonce například např tzv atd apod)";

const std::string_view kDanish =
    R"(og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu over
da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog noget ville jo
deres efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit sine vor vore mod disse
hvis din dit dine nogle nogen hos blive mange ad bliver hendes været jer jeres sådan kan kun så ved fordi mellem uden
hvem hvilken hvilket hvilke hvordan hvorfor hvornår hver hvert enhver ethvert intet ingen ingenting andet andre samme
hinanden begge både enten hverken før siden indtil mens skønt selvom således derfor desuden imidlertid ellers dermed
derefter derved dertil heraf hertil herved hvorefter igen igennem gennem inden inde ude oppe nede hjemme altid aldrig
ofte sjældent stadig allerede måske næsten omkring bare blot lige især netop ganske temmelig endnu endda alligevel tit
må måtte bør burde gør gøre gjorde gjort får få fik fået går gik kommer kom lad lade ja nej mere mest mindre mindst
flere fleste lidt lille nok hele hel hvorledes langs bag foran ifølge trods blandt ovenfor nedenfor hen dér osv fx dvs
mm)";

const std::string_view kDutch =
    R"(de het een der des den ten ter te 't ik jij je u hij zij ze wij we jullie mij me jou hem haar ons hen hun zich elkaar
zelf zelfs men mijn jouw uw zijn onze hunne dit dat deze die wie wat welk welke waar waarom wanneer hoe hoeveel waarin
waarop waarmee waarbij waarvan waardoor waarna waaruit waaraan waarvoor wiens wier daar daarin daarop daarmee daarbij
daarvan daardoor daarna daaruit daaraan daarvoor daarom hierin hierop hiermee hierbij hiervan hierdoor hierna hiervoor
erin erop ermee erbij ervan er iemand niemand iets niets alles allen alle al elk elke ieder iedere iedereen ander
andere anderen anders enige enkele sommige verschillende beide veel vele meer meest meeste minder weinig genoeg zo'n
zulke in op aan bij met van voor door over onder uit naar tot tegen tussen zonder om na sinds tijdens binnen buiten
achter boven beneden naast langs rond volgens vanaf via per ondanks behalve wegens en of maar want dus omdat doordat
zodat als indien toen terwijl hoewel nadat voordat totdat tenzij dan noch zowel zoals is ben bent was waren geweest
wees heb hebt heeft hebben had hadden gehad word wordt worden werd werden geworden zal zult zullen zou zouden kan kunt
kunnen kon konden moet moeten moest moesten mag mogen mocht wil wilt willen wilde wilden gaat gaan ging doet doen deed
laat laten hoeft blijft blijven niet geen nee ja nooit ooit ook nog reeds alleen slechts zeer heel erg zo toch wel
niettemin echter bovendien verder nu hier hierheen daarheen ergens nergens overal altijd vaak soms meestal weer
opnieuw eens even eerst eerder later bijna ongeveer misschien natuurlijk eigenlijk gewoon juist namelijk steeds terug
samen vooral weg wellicht zeker bv bijv enz etc)";

const std::string_view kEnglish =
    R"(a an the this that these those some any each every either neither both all none no not nor only own same such other
others another many much more most few fewer less least several enough i me my mine myself we us our ours ourselves
you your yours yourself yourselves he him his himself she her hers herself it its itself they them their theirs
themselves one ones oneself who whom whose which what whoever whatever whichever someone somebody something anyone
anybody anything everyone everybody everything nobody nothing noone about above across after against along amid among
amongst around as at before behind below beneath beside besides between beyond by despite down during except for from
in inside into like near of off on onto out outside over past per since than through throughout till to toward towards
under underneath until unto up upon via with within without and but or so yet if then else because although though
while whereas whether unless lest once be am is are was were been being have has had having do does did doing done can
could may might must shall should will would ought cannot let lets get gets got getting here there where when why how
hence thence thus therefore thereby therein hereby herein whence whenever wherever anywhere everywhere somewhere
nowhere elsewhere however moreover furthermore nevertheless nonetheless otherwise instead meanwhile also too very
quite rather really just even still already again ever never always often sometimes perhaps maybe almost nearly indeed
else now soon later ago away back well yes ain aren couldn didn doesn don hadn hasn haven isn ll mightn mustn needn re
shan shouldn ve wasn weren won wouldn dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt im ive
id youre youve hes shes theyre etc eg ie vs amp nbsp quot lt gt)";

const std::string_view kFinnish =
    R"(olla olen olet on olemme olette ovat ole oli olin olit olimme olitte olivat ollut olleet olisi olisin olisit olisimme
olisitte olisivat ollaan oltiin ollessa en et ei emme ette eivät eikä enkä älä minä minun minut minua minussa minusta
minuun minulla minulta minulle sinä sinun sinut sinua sinussa sinusta sinuun sinulla sinulta sinulle hän hänen hänet
häntä hänessä hänestä häneen hänellä häneltä hänelle me meidän meidät meitä meissä meistä meihin meillä meiltä meille
te teidän teidät teitä teissä teistä teihin teillä teiltä teille he heidän heidät heitä heissä heistä heihin heillä
heiltä heille tämä tämän tätä tässä tästä tähän tällä tältä tälle tänä täksi tuo tuon tuota tuossa tuosta tuohon
tuolla tuolta tuolle se sen sitä siinä siitä siihen sillä siltä sille siksi nämä näiden näitä näissä näistä näihin
näillä näiltä näille nuo noiden noita ne niiden niitä niissä niistä niihin niillä niiltä niille niinä niiksi kuka
kenen ketä kenellä kenelle ketkä mikä minkä mitä missä mistä mihin millä miltä mille miksi mitkä miten milloin kuinka
joka jonka jota jossa josta johon jolla jolta jolle joksi jotka joiden joita joissa joista joihin joilla joilta joille
joku jokin jotain jotakin jonkin joitakin kaikki kaikkien kaikkia kaiken kukaan mikään mitään muu muun muut muita
muiden toinen toisen toista toiset sama saman samat itse oma oman omat että ja jos koska kuin kun mutta niin sekä tai
vaan vai vaikka eli joten jotta kunnes kuten ennen jälkeen kanssa mukaan noin poikki yli alla alle päällä välillä
ilman takia vuoksi aikana asti saakka kohti läpi lisäksi nyt sitten silloin siis myös vain vielä jo aina usein joskus
ehkä melko hyvin erittäin enemmän eniten vähän vähemmän paljon täällä siellä täältä sieltä tänne sinne juuri kyllä
jälleen taas edelleen lähes usea useita monta monet moni voi voin voit voimme voivat voida voisi pitää pitäisi täytyy
saa saada tulee tulla kannattaa esim jne ym)";

const std::string_view kFrench =
    R"(le la les l un une des du de d au aux ce cet cette ces c ça cela ceci celui celle ceux celles celui-ci celle-ci je j
tu il elle on nous vous ils elles me m te t se s lui leur leurs y en moi toi soi eux même mêmes mon ma mes ton ta tes
son sa ses notre nos votre vos mien mienne miens miennes tien tienne sien sienne siens siennes nôtre vôtre qui que qu
quoi dont où lequel laquelle lesquels lesquelles auquel auxquels auxquelles duquel desquels desquelles quel quelle
quels quelles quelque quelques quelqu quiconque chaque chacun chacune aucun aucune nul nulle tout toute tous toutes
autre autres certain certaine certains certaines plusieurs tel telle tels telles rien personne beaucoup peu plus moins
assez trop très tant autant à dans par pour sur sous avec sans vers chez entre contre avant après depuis pendant
durant jusque jusqu jusqu'à dès lors lorsque lorsqu selon malgré parmi envers outre hors près loin autour dehors
dedans devant derrière dessus dessous au-dessus au-delà afin grâce et ou mais donc or ni car si puis puisque puisqu
quand comme parce quoique quoiqu bien ainsi alors aussi sinon cependant pourtant toutefois néanmoins tandis ne n pas
point jamais non oui guère plutôt presque déjà encore toujours souvent parfois maintenant aujourd hui hier demain ici
là ci voici voilà est es suis sommes êtes sont être été étée étées étés étant étais était étions étiez étaient serai
seras sera serons serez seront serais serait serions seriez seraient fus fut fûmes fûtes furent sois soit soyons soyez
soient fût fusse fussent ai as a avons avez ont avoir eu eue eues eus ayant avais avait avions aviez avaient aurai
auras aura aurons aurez auront aurais aurait aurions auriez auraient eut eûmes eurent aie aies ait ayons ayez aient
eût eussent fait faire fais font fera faisait faisant peut peux peuvent pouvait pouvoir pourrait pourra pourront doit
dois doivent devait devrait devoir devra va vais vont aller allait veut veux veulent voulait faut fallait faudra cent
comment combien pourquoi environ surtout notamment ensuite enfin tard tôt vite ailleurs partout quasi vraiment
seulement tellement également etc via)";

const std::string_view kGerman =
    R"(der die das des dem den ein eine einer eines einem einen kein keine keiner keines keinem keinen dieser diese dieses
diesem diesen dies jener jene jenes jenem jenen jeder jede jedes jedem jeden jedoch mancher manche manches manchem
manchen solcher solche solches solchem solchen solch welcher welche welches welchem welchen derselbe dieselbe dasselbe
derselben denselben desselben demselben dieselben derjenige diejenige dasjenige derjenigen diejenigen ich du er sie es
wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man einander selbst selber mein meine meiner meines meinem
meinen dein deine deiner deines deinem deinen sein seine seiner seines seinem seinen ihre ihrer ihres ihrem ihren
unser unsere unserer unseres unserem unseren unsre euer eure eurer eures eurem euren wer wen wem wessen was wo wohin
woher wann warum weshalb wieso wie womit wofür wodurch worauf woran wobei worin wozu deren dessen derer denen alle
aller alles allem allen all andere anderer anderes anderem anderen ander anders einige einiger einiges einigem einigen
etwas nichts jemand niemand irgend beide beiden beides beim viel viele vieler vielen vieles mehr meist meiste meisten
meistens wenig wenige weniger wenigen mehrere mehreren mehrerer genug paar bisschen sämtliche sonstige weitere
weiteren weiterer weiteres in im ins an am ans auf aus bei bis durch für gegen hinter mit nach neben ohne über um
unter von vom vor während wegen zu zum zur zwischen seit trotz statt anstatt außer außerhalb innerhalb entlang
gegenüber laut mittels gemäß samt sowie aufgrund anhand bezüglich hinsichtlich ab pro per und oder aber sondern denn
doch weil dass daß ob wenn als falls sobald solange sofern obwohl obgleich indem damit bevor nachdem ehe weder noch
entweder sowohl bzw usw etc ggf evtl zb bin bist ist sind seid war warst waren wart gewesen sei seien wäre wären habe
hab hast hat haben habt hatte hattest hatten hättest hätte hätten gehabt werde wirst wird werden werdet wurde wurden
worden würde würden geworden kann kannst können könnt konnte konnten könnte könnten muss musst müssen müsst musste
mussten müsste müssten muß soll sollst sollen sollt sollte sollten will willst wollen wollt wollte wollten darf darfst
dürfen dürft durfte durften dürfte dürften mag magst mögen möchte möchten möchtest lassen lässt lass nicht nein ja nie
niemals auch nur schon sehr so sogar immer wieder hier da dort dann danach davor dabei dafür dagegen daher dahin
damals daran darauf daraus darin darüber darum darunter davon dazu deshalb deswegen dennoch trotzdem also allerdings
außerdem zudem etwa ungefähr eben eher einmal erst fast ganz gar genau gerade gern gerne heute jetzt nun bald oft
oftmals manchmal kaum leider mal möglich natürlich nämlich nochmal sonst somit überhaupt vielleicht völlig weg weiter
wirklich wohl ziemlich zwar zuerst zuletzt bereits besonders bisher dadurch derzeit ebenfalls ebenso eigentlich
endlich gleich halt hin her heraus herein hinaus hinein insbesondere jeweils letztlich lediglich stets teilweise
vorher nachher zusammen zurück dank)";

const std::string_view kHungarian =
    R"(a az egy és s is de hogy nem ne sem vagy ha mert mint csak már még meg be ki le fel el át rá ide oda össze vissza szét
én te ő mi ti ők engem téged őt minket titeket őket nekem neked neki nekünk nektek nekik velem veled vele velünk velük
tőlem tőle róla rólam hozzá hozzám benne bennem rajta maga magát magának magam saját ez ezt ezek ezen ezzel ezért
ennek erre ebben ehhez ezeket ezekben ezeknek erről ebből ettől azt azok azon azzal azért annak arra abban ahhoz
azokat azokban azoknak arról abból attól aki akik akit akinek ami amit amik aminek amely amelyek amelyet amelynek
amelyekben amelyeket amelyben amelyre amikor ahol ahogy ahová ahonnan amíg amint amilyen amennyi kik kit mit mik mely
melyek melyik milyen mikor hol hová honnan hogyan miért mennyi hány valaki valami valamint valamely bármely bárki
bármi semmi senki minden mindent mindenki mindig mindegyik néhány némely egyes egyik másik más mások egyéb egész
összes több többi sok sokat sokkal kevés kevésbé elég ilyen olyan ugyanaz ugyanez alatt által általában belül elé
ellen elől előtt felé felett fölött keresztül kívül között közül köré körül mellett mellé miatt mögött nélkül óta
szemben szerint számára után utána végett iránt helyett révén akkor aztán azután azonban bár eddig ekkor először éppen
hanem hát hiszen igen így úgy illetve ilyenkor ismét itt ott inkább jobban legalább legyen majd mégis mivel mintha míg
most nagyon néha nincs pedig persze sőt szinte talán tehát tovább továbbá ugyanis újra vagyis viszont ezután emellett
ennél valóban van vannak vagyok vagyunk volt voltam voltak voltunk volna lenne lenni lesz lesznek lett lettek kell
kellett kellene lehet lehetett lehetne fog fognak tud tudnak való pl stb ill)";

const std::string_view kItalian =
    R"(il lo la i gli le l un uno una un' di del dello della dell dei degli delle d da dal dallo dalla dall dai dagli dalle a
ad al allo alla all ai agli alle in nel nello nella nell nei negli nelle su sul sullo sulla sull sui sugli sulle con
col coi per tra fra e ed o od ma se che ch perché anche come dove dov quando mentre poiché affinché benché sebbene
purché oppure ovvero ossia cioè dunque quindi però tuttavia infatti inoltre né io tu lui lei noi voi loro egli ella
esso essa essi esse mi ti ci vi si ne me te sé ce ve glielo gliela mio mia miei mie tuo tua tuoi tue suo sua suoi sue
nostro nostra nostri nostre vostro vostra vostri vostre proprio propria propri proprie questo questa questi queste
quest quello quella quelli quelle quel quei quegli quell ciò stesso stessa stessi stesse chi cui quale quali qual
quanto quanta quanti quante cosa cos alcuno alcuna alcuni alcune altro altra altri altre altr ogni ognuno ognuna
qualche qualcuno qualcosa qualunque qualsiasi nessuno nessuna nessun niente nulla tutto tutta tutti tutte tutt molto
molta molti molte poco poca pochi poche tanto tanta tanti tante troppo troppa parecchi vari varie entrambi entrambe
ciascuno ciascuna non no sì mai più meno già ancora sempre spesso talvolta ora adesso oggi ieri domani qui qua lì là
così allora poi prima dopo ecco forse quasi soltanto solo solamente bene male assai abbastanza appena circa almeno
anzi invece insieme sopra sotto dentro fuori davanti dietro contro verso presso durante lungo oltre senza secondo fino
sino è sono sei siamo siete essere stato stata stati state era ero eri eravamo eravate erano sarà sarò sarai saremo
sarete saranno sarebbe sarei sarebbero fu fui furono fosse fossero sia siano essendo ha ho hai abbiamo avete hanno
avere avuto avuta avuti avute aveva avevo avevi avevamo avevate avevano avrà avrò avrai avremo avrete avranno avrebbe
avrei avrebbero ebbe ebbero abbia abbiano avesse avessero avendo fa faccio fai facciamo fate fanno fare fatto faceva
facevano farà faranno farebbe fece fecero facendo può posso puoi possiamo potete possono potere poteva potrebbe potrà
potranno potuto deve devo devi dobbiamo dovete devono dovere doveva dovrebbe dovrà dovuto vuole voglio vuoi vogliono
voleva sta sto stai stiamo stanno stare stava stavano viene vengono veniva va vanno vado andare ecc etc via)";

const std::string_view kJapanese =
    R"(の は が を に へ と で も や か から まで より など だけ ほど くらい ぐらい ばかり しか こそ さえ でも には では とは への との からの までの による により において における について に関する
に対する に対して として とともに ための ため ように ような よう という といった ところ もの こと これ それ あれ どれ この その あの どの ここ そこ あそこ どこ こう そう ああ どう こんな そんな あんな
どんな 私 僕 彼 彼女 我々 あなた わたし ぼく 自分 誰 何 いつ なぜ です ます でし だっ である であり であっ だろう でしょう ない なく なかっ なり なる なっ なら ある あり あっ いる いう いっ する した
して し され さ せ せる れる られ られる れ ました ません まし ませ たり たい たら てい て た だ ず ぬ ば き く そして しかし また または および ただし さらに つまり なお それで それから だから ただ
もし ので のに けれど けど ながら つつ まだ もう とても すでに 等 的
ですが にとって って たち ほか ほかに でき できる できます たくさん 思い)";

const std::string_view kNorwegian =
    R"(og i jeg det at en et den til er som på de med han av ikke ikkje der så var meg seg men ett har om vi min mitt mine ha
hadde hun nå over da ved fra du ut sin sitt sine dem oss opp man kan hans hvor eller hva skal selv sjøl her alle vil
bli ble blei blitt kunne inn når være noen noe ville dere deres kun ja nei etter ned skulle denne for deg mot å meget
mye hvorfor dette disse uten hvordan ingen din ditt dine blir samme hvilken hvilke hvilket sånn mellom vår vårt våre
hver hvert hvem hvis både bare enn fordi før mange også slik slike vært begge siden henne hennes ham hos under igjen
gjennom mens selvom altså derfor dessuten imidlertid ellers dermed alltid aldri ofte sjelden fortsatt allerede kanskje
nesten omtrent akkurat særlig ganske enda likevel annen annet andre hverandre enten verken hverken må måtte bør burde
gjør gjøre gjorde gjort får få fikk fått går gikk kommer kom la mer mest mindre minst flere fleste litt nok hele hel
langs bak foran ifølge tross blant ovenfor nedenfor hit dit hjem ute inne oppe nede eg ein ei eit dei dykk dykkar
deira då elles hjå ho honom hennar ingi inkje korleis kva kvar kven kvifor kvi medan mi mykje no nokon noka noko nokre
sidan so somme um upp vere vore vart verte vort me osv f.eks dvs)";

const std::string_view kPolish =
    R"(i a o w we z ze na do od po za przy przez pod nad bez dla u ku oraz albo lub ani ale lecz jednak więc zatem że żeby
aby by bo gdyż ponieważ jeśli jeżeli gdy kiedy jak jako niż choć chociaż czy czyli toteż natomiast ja ty on ona ono my
wy oni one mnie mi mną ciebie cię ci tobie tobą jego go niego jemu mu niemu nim niej jej ją nią nas nam nami was wam
wami ich im nich nimi je siebie się sobie sobą mój moja moje moi mojego mojej twój twoja twoje swój swoja swoje swoich
swojego swojej nasz nasza nasze nasi wasz wasza wasze ten ta to te tego tej temu tym tych tymi tę tą tamten tamta
tamto taki taka takie takich takiego takiej ów sam sama samo sami same kto kogo komu kim co czego czemu czym który
która które którzy którego której któremu którym których którymi którą jaki jaka jakie jakich czyj ile gdzie skąd
dokąd dlaczego ktoś coś nikt nic każdy każda każde każdego wszystko wszystkie wszyscy wszystkich żaden żadna żadne
inny inna inne innych innego kilka wiele wielu mało dużo więcej mniej najbardziej bardziej bardzo jest jestem jesteś
jesteśmy są być był była było byli były będzie będą będę byłby byłaby zostać został została zostało zostały ma mam
masz mają mieć miał miała może mogą można mógł powinien powinna trzeba należy nie tak tylko też także już jeszcze
zawsze nigdy często czasem tu tutaj tam teraz wtedy potem nawet prawie około właśnie raczej przecież również między
pomiędzy przed podczas według wśród poza oprócz wobec dzięki obok ponad mimo niech no np itd itp tzw)";

const std::string_view kPortuguese =
    R"(o a os as um uma uns umas de do da dos das dum duma em no na nos nas num numa nuns numas por pelo pela pelos pelas
para pra com sem sob sobre entre desde até contra perante após ante durante segundo conforme mediante ao aos à às e ou
nem mas porém contudo todavia entretanto embora porque porquanto pois que se como quando onde enquanto logo portanto
assim então também além eu tu ele ela nós vós eles elas você vocês me te vos lhe lhes mim ti si comigo contigo consigo
conosco meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas vosso vossa vossos vossas
dele dela deles delas este esta isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles aquelas deste
desta disto destes destas desse dessa disso desses dessas daquele daquela neste nesta nisto nestes nestas nesse nessa
nisso nesses nessas naquele naquela quem qual quais cujo cuja cujos cujas quanto quanta quantos quantas algum alguma
alguns algumas alguém algo nenhum nenhuma ninguém nada outro outra outros outras mesmo mesma mesmos mesmas próprio
própria próprios próprias todo toda todos todas tudo cada qualquer quaisquer vários várias ambos ambas demais muito
muita muitos muitas pouco pouca poucos poucas tanto tanta tantos tantas tão mais menos bastante não sim já ainda
sempre nunca jamais quase apenas só somente talvez aqui ali aí lá cá agora hoje ontem amanhã antes depois cedo tarde
bem mal melhor pior dentro fora perto longe junto inclusive é sou és somos são ser sido sendo era eras éramos eram
serei será seremos serão seria seriam fui foi fomos foram fosse fossem for forem seja sejam está estou estás estamos
estão estar estado estando estava estavam estará estarão estaria esteve estive estiveram estivesse esteja estejam há
hei havemos hão haver havia haviam houve houvesse haverá haveria haja hajam tem tenho tens temos têm ter tido tendo
tinha tínhamos tinham terá terão teria teriam teve tive tiveram tivesse tenha tenham tiver pode posso podes podemos
podem poder podia podiam poderá poderão poderia poderiam pôde deve devo devem dever devia deveria deveriam faz fazem
fazer fazia fez feito vai vão vou vamos ir ia iam quer querem etc via)";

const std::string_view kRomanian =
    R"(un o unui unei unor niște al a ai ale lui lor cel cea cei cele celui celei celor eu tu el ea noi voi ei ele
dumneavoastră mine tine sine mă te se ne vă îl îi le i-a mi ți și-a îmi îți își însuși însăși meu mea mei mele tău ta
tăi tale său sa săi sale nostru noastră noștri noastre vostru voastră acest această acești aceste acestui acestei
acestor acesta aceasta aceștia acestea acel acea acei acele acelui acelei acelor acela aceea aceia acelea același
aceeași ăsta asta care ce cine cui căruia căreia cărora cât câtă câți câte când unde cum încotro oricare orice oricine
cineva ceva nimeni nimic niciun nicio vreun vreo fiecare tot toată toți toate alt altă alți alte altul alta altele
unii unele unul una mult multă mulți multe puțin puțini câțiva câteva de la în din pe cu pentru prin spre sub peste
între după până fără către asupra despre dintre dintr într printr printre lângă înainte înaintea împotriva contra
conform datorită dinspre deasupra afară și sau ori dar iar însă ci deci că să dacă deoarece fiindcă căci deși încât
precum ca decât nici fie totuși așadar astfel este sunt ești suntem sunteți e era erau eram fi fost fiind fii va vor
vei vom veți ar aș am ați au are avea avem aveți aveau avut având fac face facem făcut poate pot putea putem puteți
trebuie nu da mai foarte prea doar numai încă deja chiar atât așa aici acolo acum atunci apoi mereu niciodată uneori
adesea aproape cam destul bine rău iarăși tocmai abia măcar ales desigur etc)";

const std::string_view kRussian =
    R"(и в во не что он на я с со как а то все всё она так его но да ты к ко у же вы за бы по только её ее мне было вот от
ото меня ещё еще нет о об обо из изо ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж
вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам сама само сами без будто
чего раз тоже себе под будет будут буду будем ж тогда кто этот эта это эти того потому этого этой этому этом этим
этими этих эту какой какая какое какие каких совсем ним здесь один одна одно одни почти мой моя моё мое мои моего моей
моих тем чтобы чтоб нее неё сейчас были куда зачем всех всем всеми всей весь вся никогда можно при наконец другой
другая другие других хоть после над больше меньше тот та те тех той тому том через нас про всего них нам нами ними
вами разве свой своя своё свое свои свою своего своей своих своим наш наша наше наши ваш ваша ваше ваши твой твоя твои
впрочем перед передо иногда чуть нельзя такой такая такое такие таких таким более менее всегда конечно всю между
который которая которое которые которого которой которых которому которым которыми которую чей чья чьё чьи также
однако поэтому затем хотя пока пусть пускай либо зато притом причём причем поскольку словно ибо нежели из-за около
возле вокруг вдоль среди против ради кроме вместо сквозь согласно благодаря несмотря вследствие кого кому кем ком чему
чём кто-то что-то некоторые некоторых некоторый никто ничто каждый каждая каждое каждого каждой любой любая любые
сколько столько несколько много мало очень весьма довольно слишком почему отчего откуда оттуда отсюда туда сюда везде
является являются являлся могут мог могла могли можем должен должна должно должны стал стала стали имеет имеют именно
лишь просто вообще например т.е тд тп др)";

const std::string_view kSpanish =
    R"(el la los las lo un una unos unas uno al del de a en con por para sin sobre entre desde hasta hacia contra según
durante mediante tras ante bajo excepto salvo y e o u ni pero sino aunque porque pues que si como cuando donde
mientras conque luego así entonces además también tampoco embargo yo tú él ella ello nosotros nosotras vosotros
vosotras ellos ellas usted ustedes me te se nos os le les mí ti sí consigo conmigo contigo mi mis tu tus su sus
nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras mío mía míos mías tuyo tuya tuyos tuyas suyo suya
suyos suyas este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas qué quién quien
quiénes quienes cuál cual cuáles cuales cuyo cuya cuyos cuyas cuánto cuanto cuánta cuanta cuántos cuantos cuántas
cuantas cómo cuándo dónde adonde alguno alguna algunos algunas algún alguien algo ninguno ninguna ningún nadie nada
otro otra otros otras mismo misma mismos mismas propio propia propios propias todo toda todos todas cada cualquier
cualquiera varios varias ambos ambas demás mucho mucha muchos muchas poco poca pocos pocas tanto tanta tantos tantas
tan más menos muy bastante demasiado no ya aún todavía siempre nunca jamás casi apenas solo sólo solamente quizá
quizás tal vez aquí allí ahí allá acá ahora hoy ayer mañana antes después pronto tarde bien mal mejor peor dentro
fuera encima debajo delante detrás cerca lejos alrededor junto incluso es soy eres somos sois son ser sido siendo era
eras éramos erais eran seré serás será seremos serán sería serías seríamos serían fui fuiste fue fuimos fueron fueran
fuese fuesen sea seas seamos sean está estoy estás estamos estáis están estar estado estando estaba estabas estábamos
estaban estará estarán estaría estuve estuvo estuvieron estuviera esté estén ha he has hemos habéis han haber habido
habiendo había habías habíamos habían habrá habrán habría habrían hubo hubiera hubieran hubiese haya hayan hay tiene
tengo tienes tenemos tenéis tienen tener tenido teniendo tenía teníamos tenían tendrá tendrán tendría tuvo tuvieron
tuviera tenga tengan puede puedo puedes podemos pueden poder podía podían podrá podrán podría podrían pudo debe debo
deben debemos deber debía debería deberían hace hacen hacer hacía hizo hecho va van voy vamos ir iba iban quiere
quiero etc vía)";

const std::string_view kSwedish =
    R"(och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då sin nu
har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över än dig kan
sina här ha mot alla under någon eller allt mycket sedan ju denna själv detta åt utan varit hur ingen mitt ni bli blev
oss din dessa några deras blir mina samma vilken er sådan vår blivit dess inom mellan sådant varför varje vilka ditt
vem vilket sådana vart dina vars vårt våra ert era sitt ingenting inget inga annan annat andra varandra båda både
antingen varken ska skall vill ville måste bör borde får få fick fått gör göra gjorde gjort går gick kommer kom låt
låta också bara endast redan ännu aldrig alltid ofta ibland kanske nästan ungefär just särskilt ganska mer mest mindre
minst fler flera flesta lite nog hela hel före innan medan eftersom fast fastän trots därför dessutom emellertid
annars därmed därefter därvid hit dit igen genom längs bakom framför enligt bland ovanför nedanför inne ute uppe nere
kring samt såsom samtliga ja nej ens alltså sålunda således istället tillsammans runt bl a osv t ex dvs)";

const std::string_view kTurkish =
    R"(bir bu şu o ben sen biz siz onlar beni bana bende benden benim seni sana sende senden senin onu ona onda ondan onun
bizi bize bizde bizden bizim sizi size sizde sizden sizin onları onlara onlarda onlardan onların kendi kendini kendine
kendisi bunu buna bunda bundan bunun bunlar bunları bunların şunu şuna şunun şunlar böyle şöyle öyle burada şurada
orada buraya oraya buradan oradan ve veya ya da de ki ile ise için gibi kadar göre karşı rağmen beri dolayı ötürü önce
sonra üzere doğru başka dışında içinde üzerinde altında arasında hakkında tarafından ama fakat ancak lakin çünkü zira
eğer şayet yani hem ne nasıl neden niçin niye nerede nereye nereden kim kimi kime kimin kaç hangi hangisi acaba her
herkes hepsi hep hiç hiçbir biri birkaç birçok bazı bazıları birisi bütün tüm çok az daha en pek çoğu diğer diğeri
aynı şey şeyi şeyler değil var yok mı mi mu mü evet hayır belki artık bile dahi sadece yalnız yalnızca zaten hâlâ hala
henüz yine gene şimdi bugün hemen sanki aslında özellikle ayrıca böylece diye iken olarak olan olduğu olduğunu oldu
olur olup olsa olacak olmak olmayan olmaz olması idi imiş edilen eden ederek etmek etti eder edilir yapılan yaptı
yapmak bunlardan kez defa itibaren)";

}  // namespace idne::stop_words
