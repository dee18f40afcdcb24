// The words of the interface in French and English. Game names stay French in both; the texts
// of spells, passives, summons, traps and bonuses come from the catalogue.

export type Language = "fr" | "en";
export const LANGUAGES: readonly Language[] = ["fr", "en"];

const STORED = "solwaris.language";

// `{name}` is filled in; `{n:one|many}` chooses by the number n.
const FR = {
  "app.title": "Solwaris",
  "app.tagline": "Duel tactique sur une grille",
  "app.language": "Langue",
  "app.language.fr": "Français",
  "app.language.en": "English",
  "app.close": "Fermer",
  "app.loading": "Chargement…",
  "app.retry": "Réessayer",
  "app.copy": "Copier",
  "app.copied": "Copié",
  "app.cancel": "Annuler",

  "setup.title": "Nouveau duel",
  "setup.mode": "Mode",
  "setup.mode.1v1": "1 contre 1",
  "setup.mode.2v2": "2 contre 2",
  "setup.seat.you": "Vous",
  "setup.seat.ally": "Allié",
  "setup.seat.enemy": "Adversaire",
  "setup.seat.enemy.number": "Adversaire {n}",
  "setup.player": "Qui joue",
  "setup.player.human": "Une autre personne",
  "setup.player.number": "Joueur {n}",
  "setup.player.rating": "cote {rating}",
  "opponent.human": "Reçoit un lien, et joue depuis son propre navigateur",
  "setup.name": "Nom",
  "setup.name.placeholder": "Votre nom",
  "setup.class": "Classe",
  "setup.class.random": "Au hasard",
  "setup.class.sheet": "Fiche de {name}",
  "setup.loadout.original": "Original",
  "setup.loadout.variant": "Variante",
  "setup.loadout.slot": "Emplacement {n}",
  "setup.loadout.passive": "Passif",
  "setup.map": "Carte",
  "setup.map.random": "Au hasard",
  "setup.map.cells": "{n} {n:case|cases}",
  "setup.map.preview": "Aperçu de la carte {name}",
  "setup.clocks": "Limite de temps",
  "setup.start": "Commencer le duel",
  "setup.starting": "Création du duel…",
  "setup.invite": "Invitation à transmettre",
  "setup.invite.for": "Lien pour {name}",
  "setup.invite.hint":
    "Le duel attend. Chaque lien ouvre une place : ne le donnez qu'à la personne concernée.",

  "class.hp": "PV",
  "class.ap": "PA",
  "class.mp": "PM",
  "class.ap_resist": "Esquive PA",
  "class.mp_resist": "Esquive PM",
  "class.passive": "Passif",
  "class.resist": "{n} %",

  "placement.yours": "Choisissez votre case de départ",
  "placement.others": "{name} choisit une case de départ",

  "auction.title": "Enchère pour jouer en premier",
  "auction.yours": "Voulez-vous enchérir ?",
  "auction.others": "{name} réfléchit à l'enchère",
  "auction.price": "Prix : {n} {n:pièce|pièces}",
  "auction.free": "Aucune offre",
  "auction.first": "Joue en premier pour l'instant : {camp}",
  "auction.camp.0": "Vous êtes le camp bleu",
  "auction.camp.1": "Vous êtes le camp rouge",
  "auction.purse": "Votre bourse : {n} {n:pièce|pièces}",
  "auction.raise.to": "Surenchérir à {n} {n:pièce|pièces}",
  "auction.decline": "Ne pas suivre",
  "auction.bid": "Enchérir à {n} {n:pièce|pièces}",
  "auction.no_bid": "Ne pas enchérir",
  "auction.blue": "camp bleu",
  "auction.red": "camp rouge",

  "camp.0": "Camp bleu",
  "camp.1": "Camp rouge",

  "turn.yours": "À vous de jouer",
  "turn.summon": "Votre invocation joue : {name}",
  "turn.of": "C'est à {name} de jouer",
  "turn.waiting": "En attente de {name}",
  "turn.tour.limit": "Tour {n} sur {limit}",
  "turn.end": "Finir le tour",
  "turn.end.summon": "Finir le tour de l'invocation",
  "turn.forfeit": "Abandonner",
  "turn.forfeit.confirm": "Abandonner ce duel ?",
  "turn.spectator": "Vous regardez ce duel",
  "turn.order": "Ordre de jeu",
  "turn.move.cost": "{n} PM",

  "spell.bar": "Barre de sorts",
  "spell.slot": "{slot}. {name}, {cost} PA",
  "spell.cost": "{n} PA",
  "spell.hp_cost": "{n} PV",
  "spell.range": "Portée {min} à {max}",
  "spell.range.one": "Portée {n}",
  "spell.range.self": "Sur soi",
  "spell.range.unlimited": "Portée illimitée",
  "spell.line": "En ligne droite",
  "spell.no_sight": "Sans ligne de vue",
  "spell.per_turn": "{n} par tour",
  "spell.cooldown": "Relance : {n} {n:tour|tours}",
  "spell.ready_in": "Disponible dans {n} {n:tour|tours}",
  "spell.used_up": "Plus de lancer ce tour",
  "spell.no_ap": "Pas assez de PA",
  "spell.no_target": "Aucune cible à portée",
  "spell.choose_cell": "{name} : choisissez une case",
  "spell.cast_at": "Lancer {name} en {cell}",
  "spell.area.circle": "Zone : cercle de {n}",
  "spell.area.cross": "Zone : croix de {n}",
  "spell.area.diagonal": "Zone : diagonales de {n}",
  "spell.area.line": "Zone : ligne de {n}",

  "forecast.critical": "coup critique {chance} % : {hp}",
  "forecast.criticals": "avec des coups critiques, jusqu'à {hp}",
  "forecast.armour": "armure −{n}",
  "forecast.ap": "jusqu'à −{n} PA",
  "forecast.mp": "jusqu'à −{n} PM",

  "effect.armour": "Armure {value}",
  "effect.resistance": "Résistance {value} %",
  "effect.power": "Dégâts {value} %",
  "effect.range": "Portée {value}",
  "effect.poison": "Poison : {value} PV par tour",
  "effect.anchor": "Ancrage : rien ne déplace la cible",
  "effect.delayed": "Coup différé : {value} à {value2} PV",
  "effect.bonus_power": "Dégâts {value} % (bonus)",
  "effect.turns": "encore {n} {n:tour|tours}",
  "effect.own_turn_end": "jusqu'à la fin de son tour",
  "effect.cause": "de {cause}",

  "entity.ap": "PA",
  "entity.mp": "PM",
  "entity.armour": "Armure",
  "entity.resistance": "Résistance",
  "entity.power": "Dégâts",
  "entity.range": "Portée",
  "entity.invisible": "Invisible",
  "entity.summon_of": "Invocation de {name}",
  "entity.summon_own": "Votre invocation",
  "entity.label": "{name}, {hp} sur {max} PV",
  "entity.you": "vous",
  "entity.ally": "camp allié",
  "entity.enemy": "camp adverse",

  "clock.placement": "Temps de placement",
  "clock.auction": "Temps d'enchère",
  "clock.turn": "Temps du tour",
  "clock.summon": "Temps de l'invocation",
  "clock.left": "{n} {n:seconde restante|secondes restantes}",

  "presence.here": "{name} : en ligne",
  "presence.away": "{name} : hors ligne, abandon dans {n} s",
  "resigned.own": "Vous avez abandonné ; cela comptera à votre prochain tour",
  "resigned.other": "{name} abandonne ; cela comptera à son prochain tour",

  "connection.connecting": "Connexion…",
  "connection.open": "Connexion établie",
  "connection.lost": "Connexion perdue, nouvel essai…",

  "log.title": "Journal",

  "result.title": "Fin du duel",
  "result.won": "Victoire",
  "result.lost": "Défaite",
  "result.draw": "Match nul",
  "result.winner": "Vainqueur : {camp}",
  "result.knockout": "Un camp est hors combat",
  "result.knockout.won": "Le camp adverse est hors combat : votre camp gagne",
  "result.knockout.lost": "Votre camp est hors combat : le camp adverse gagne",
  "result.double_knockout": "Les deux camps sont hors combat",
  "result.forfeit": "Abandon",
  "result.forfeit.won": "Le camp adverse abandonne : votre camp gagne",
  "result.forfeit.lost": "Votre camp abandonne : le camp adverse gagne",
  "result.tour_limit": "Limite de tours atteinte",
  "result.tours": "{n} {n:tour joué|tours joués}",
  "result.hp_share": "PV restants : {own} % contre {other} %",
  "result.price.you": "Vous avez payé {n} {n:pièce|pièces} pour jouer en premier",
  "result.price.own": "Votre camp a payé {n} {n:pièce|pièces} pour jouer en premier",
  "result.price.other": "Le camp adverse a payé {n} {n:pièce|pièces} pour jouer en premier",
  "result.price.0": "Le camp bleu a payé {n} {n:pièce|pièces} pour jouer en premier",
  "result.price.1": "Le camp rouge a payé {n} {n:pièce|pièces} pour jouer en premier",
  "result.stakes": "Mise : {n} {n:pièce|pièces}",
  "result.replay": "Revoir le duel",
  "result.again": "Rejouer",
  "result.new": "Nouveau duel",

  "replay.title": "Revoir le duel",
  "replay.first": "Premier tour",
  "replay.previous": "Tour précédent",
  "replay.next": "Tour suivant",
  "replay.last": "Dernier tour",
  "replay.play": "Lecture",
  "replay.pause": "Pause",
  "replay.speed": "Vitesse",
  "replay.position": "Position dans le duel",
  "replay.turn": "{turn} ({n} sur {total})",
  "replay.begin": "Début",
  "replay.step.previous": "Action précédente",
  "replay.step.next": "Action suivante",
  "replay.view": "Point de vue",
  "replay.view.open": "Tout voir",
  "replay.view.seat": "Vue de {name}",
  "replay.log": "Journal du tour",
  "replay.close": "Quitter la relecture",
  "replay.loading": "Chargement du duel…",
  "error.hidden": "Le duel a pris fin avant que tout le monde soit en place : rien à revoir.",
  "replay.keys":
    "Flèches : tour précédent, suivant. Début, Fin : premier, dernier. Espace : lecture. " +
    "Virgule, point : action précédente, suivante.",

  "board.cell.floor": "sol",
  "board.cell.wall": "mur",
  "board.cell.hedge": "haie",
  "board.cell.crate": "caisse",
  "board.cell.rock": "rocher",
  "board.cell.vault": "caveau",
  "board.cell.void": "vide",
  "board.cell.trap": "piège {name}",
  "board.cell.bonus": "bonus {name}",
  "board.cell.reach": "à portée de marche",
  "board.cell.target": "cible possible",
  "board.cell.cast": "à portée du sort",
  "board.cell.zone": "zone de départ",
  "board.zoom.in": "Agrandir",
  "board.zoom.out": "Réduire",
  "board.zoom.fit": "Tout afficher",

  "error.title": "Rien à montrer ici",
  "error.network": "Le serveur ne répond pas.",
  "error.unknown": "Le serveur répond par une erreur : {message}",
  "error.not_found": "Ce duel n'existe pas ou plus.",
  "error.unauthorized": "Ce lien n'ouvre aucune place de ce duel.",
  "error.forbidden": "Un spectateur ne peut que regarder.",
  "error.no_spectators": "Ce duel n'admet pas de spectateurs.",
  "error.not_your_turn": "Ce n'est pas à vous de jouer.",
  "error.illegal_action": "Cette action n'est pas permise.",
  "error.stale": "Le duel a continué entre-temps : voyez où il en est.",
  "error.over": "Le duel est terminé.",
  "error.not_over": "Le duel n'est pas terminé.",
  "error.rate_limited": "Trop de demandes : patientez un instant.",
  "error.too_many_duels": "Trop de duels en cours : terminez-en un d'abord.",
  "error.full": "Le serveur est complet.",
  "error.unavailable": "Le serveur ne peut pas le faire pour l'instant.",
  "error.invalid": "Un réglage n'est pas valable : {message}",
  "error.closed": "Le serveur a fermé la connexion.",

  "help.title": "Commandes",
  "help.arrows": "Flèches : déplacer le curseur sur le plateau",
  "help.enter": "Entrée : se placer, marcher ou lancer le sort choisi",
  "help.spells": "1 à 8 : choisir un sort",
  "help.escape": "Échap : ranger le sort, fermer",
  "help.targets": "N et P : cible suivante, précédente",
  "help.end": "F ou Espace : finir le tour",
  "help.raise": "S : surenchérir ; F ou Espace : ne pas suivre",
  "help.log": "J : journal",
  "help.help": "? : cette aide",
  "help.mouse":
    "Souris : cliquer une case pour marcher ; un sort, puis une case, pour le lancer",
  "help.touch": "Doigt : toucher une case montre le chemin, la toucher encore y mène",
  "help.touch.spell": "Doigt : un sort, puis une case : la toucher montre l'effet, la toucher encore le lance",
  "help.touch.look": "Doigt : toucher un combattant le décrit ; glisser fait défiler le plateau",

  "aria.setup": "Réglages du duel",
  "aria.board": "Plateau",
  "aria.hud": "État du duel",
  "aria.log": "Journal du duel",
  "aria.result": "Résultat",
  "aria.replay.controls": "Commandes de relecture",
} as const;

export type Key = keyof typeof FR;

const EN: Record<Key, string> = {
  "app.title": "Solwaris",
  "app.tagline": "A tactical duel on a grid",
  "app.language": "Language",
  "app.language.fr": "Français",
  "app.language.en": "English",
  "app.close": "Close",
  "app.loading": "Loading…",
  "app.retry": "Try again",
  "app.copy": "Copy",
  "app.copied": "Copied",
  "app.cancel": "Cancel",

  "setup.title": "New duel",
  "setup.mode": "Mode",
  "setup.mode.1v1": "1 against 1",
  "setup.mode.2v2": "2 against 2",
  "setup.seat.you": "You",
  "setup.seat.ally": "Ally",
  "setup.seat.enemy": "Opponent",
  "setup.seat.enemy.number": "Opponent {n}",
  "setup.player": "Who plays",
  "setup.player.human": "Another person",
  "setup.player.number": "Player {n}",
  "setup.player.rating": "rated {rating}",
  "opponent.human": "Gets a link, and plays in a browser of their own",
  "setup.name": "Name",
  "setup.name.placeholder": "Your name",
  "setup.class": "Class",
  "setup.class.random": "By chance",
  "setup.class.sheet": "Sheet of {name}",
  "setup.loadout.original": "Original",
  "setup.loadout.variant": "Variant",
  "setup.loadout.slot": "Slot {n}",
  "setup.loadout.passive": "Passive",
  "setup.map": "Map",
  "setup.map.random": "By chance",
  "setup.map.cells": "{n} {n:cell|cells}",
  "setup.map.preview": "Preview of the map {name}",
  "setup.clocks": "Time limits",
  "setup.start": "Begin the duel",
  "setup.starting": "Making the duel…",
  "setup.invite": "Invitation to hand on",
  "setup.invite.for": "Link for {name}",
  "setup.invite.hint":
    "The duel waits. Each link opens one seat: give it only to the person meant.",

  "class.hp": "HP",
  "class.ap": "AP",
  "class.mp": "MP",
  "class.ap_resist": "AP dodge",
  "class.mp_resist": "MP dodge",
  "class.passive": "Passive",
  "class.resist": "{n}%",

  "placement.yours": "Choose your start cell",
  "placement.others": "{name} is choosing a start cell",

  "auction.title": "Auction to play first",
  "auction.yours": "Do you bid?",
  "auction.others": "{name} is thinking about the auction",
  "auction.price": "Price: {n} {n:coin|coins}",
  "auction.free": "No bid yet",
  "auction.first": "Plays first as it stands: {camp}",
  "auction.camp.0": "You are the blue camp",
  "auction.camp.1": "You are the red camp",
  "auction.purse": "Your purse: {n} {n:coin|coins}",
  "auction.raise.to": "Raise to {n} {n:coin|coins}",
  "auction.decline": "Do not follow",
  "auction.bid": "Bid {n} {n:coin|coins}",
  "auction.no_bid": "Do not bid",
  "auction.blue": "blue camp",
  "auction.red": "red camp",

  "camp.0": "Blue camp",
  "camp.1": "Red camp",

  "turn.yours": "Your turn",
  "turn.summon": "Your summon plays: {name}",
  "turn.of": "Playing now: {name}",
  "turn.waiting": "Waiting for {name}",
  "turn.tour.limit": "Tour {n} of {limit}",
  "turn.end": "End the turn",
  "turn.end.summon": "End the summon's turn",
  "turn.forfeit": "Give up",
  "turn.forfeit.confirm": "Give up this duel?",
  "turn.spectator": "You are watching this duel",
  "turn.order": "Turn order",
  "turn.move.cost": "{n} MP",

  "spell.bar": "Spell bar",
  "spell.slot": "{slot}. {name}, {cost} AP",
  "spell.cost": "{n} AP",
  "spell.hp_cost": "{n} HP",
  "spell.range": "Range {min} to {max}",
  "spell.range.one": "Range {n}",
  "spell.range.self": "On oneself",
  "spell.range.unlimited": "Unlimited range",
  "spell.line": "In a straight line",
  "spell.no_sight": "No line of sight needed",
  "spell.per_turn": "{n} a turn",
  "spell.cooldown": "Cooldown: {n} {n:turn|turns}",
  "spell.ready_in": "Ready in {n} {n:turn|turns}",
  "spell.used_up": "No casts left this turn",
  "spell.no_ap": "Not enough AP",
  "spell.no_target": "No target in range",
  "spell.choose_cell": "{name}: choose a cell",
  "spell.cast_at": "Cast {name} at {cell}",
  "spell.area.circle": "Area: circle of {n}",
  "spell.area.cross": "Area: cross of {n}",
  "spell.area.diagonal": "Area: diagonals of {n}",
  "spell.area.line": "Area: line of {n}",

  "forecast.critical": "critical hit {chance}%: {hp}",
  "forecast.criticals": "with critical hits up to {hp}",
  "forecast.armour": "armour −{n}",
  "forecast.ap": "up to −{n} AP",
  "forecast.mp": "up to −{n} MP",

  "effect.armour": "Armour {value}",
  "effect.resistance": "Resistance {value}%",
  "effect.power": "Damage {value}%",
  "effect.range": "Range {value}",
  "effect.poison": "Poison: {value} HP a turn",
  "effect.anchor": "Anchored: nothing moves it",
  "effect.delayed": "Delayed blow: {value} to {value2} HP",
  "effect.bonus_power": "Damage {value}% (bonus)",
  "effect.turns": "{n} {n:turn|turns} left",
  "effect.own_turn_end": "until its turn ends",
  "effect.cause": "from {cause}",

  "entity.ap": "AP",
  "entity.mp": "MP",
  "entity.armour": "Armour",
  "entity.resistance": "Resistance",
  "entity.power": "Damage",
  "entity.range": "Range",
  "entity.invisible": "Invisible",
  "entity.summon_of": "Summoned by {name}",
  "entity.summon_own": "Your summon",
  "entity.label": "{name}, {hp} of {max} HP",
  "entity.you": "you",
  "entity.ally": "your camp",
  "entity.enemy": "the other camp",

  "clock.placement": "Time to place",
  "clock.auction": "Time to bid",
  "clock.turn": "Time of the turn",
  "clock.summon": "Time of the summon",
  "clock.left": "{n} {n:second|seconds} left",

  "presence.here": "{name}: online",
  "presence.away": "{name}: offline, gives up in {n} s",
  "resigned.own": "You have given up; it counts at your next turn",
  "resigned.other": "{name} gives up; it counts at their next turn",

  "connection.connecting": "Connecting…",
  "connection.open": "Connected",
  "connection.lost": "Connection lost, trying again…",

  "log.title": "Log",

  "result.title": "The duel is over",
  "result.won": "Victory",
  "result.lost": "Defeat",
  "result.draw": "Draw",
  "result.winner": "Winner: {camp}",
  "result.knockout": "A camp is out of the fight",
  "result.knockout.won": "The other camp is out of the fight: your camp wins",
  "result.knockout.lost": "Your camp is out of the fight: the other camp wins",
  "result.double_knockout": "Both camps are out of the fight",
  "result.forfeit": "Given up",
  "result.forfeit.won": "The other camp gives up: your camp wins",
  "result.forfeit.lost": "Your camp gives up: the other camp wins",
  "result.tour_limit": "Tour limit reached",
  "result.tours": "{n} {n:tour|tours} played",
  "result.hp_share": "HP left: {own}% against {other}%",
  "result.price.you": "You paid {n} {n:coin|coins} to play first",
  "result.price.own": "Your camp paid {n} {n:coin|coins} to play first",
  "result.price.other": "The other camp paid {n} {n:coin|coins} to play first",
  "result.price.0": "The blue camp paid {n} {n:coin|coins} to play first",
  "result.price.1": "The red camp paid {n} {n:coin|coins} to play first",
  "result.stakes": "Stakes: {n} {n:coin|coins}",
  "result.replay": "Watch the replay",
  "result.again": "Play again",
  "result.new": "New duel",

  "replay.title": "Replay",
  "replay.first": "First turn",
  "replay.previous": "Previous turn",
  "replay.next": "Next turn",
  "replay.last": "Last turn",
  "replay.play": "Play",
  "replay.pause": "Pause",
  "replay.speed": "Speed",
  "replay.position": "Position in the duel",
  "replay.turn": "{turn} ({n} of {total})",
  "replay.begin": "Beginning",
  "replay.step.previous": "Previous action",
  "replay.step.next": "Next action",
  "replay.view": "Point of view",
  "replay.view.open": "See everything",
  "replay.view.seat": "As seen by {name}",
  "replay.log": "Log of the turn",
  "replay.close": "Leave the replay",
  "replay.loading": "Loading the duel…",
  "error.hidden": "The duel ended before everybody was placed: there is nothing to show.",
  "replay.keys":
    "Arrows: previous, next turn. Home, End: first, last. Space: play. " +
    "Comma, full stop: previous, next action.",

  "board.cell.floor": "floor",
  "board.cell.wall": "wall",
  "board.cell.hedge": "hedge",
  "board.cell.crate": "crate",
  "board.cell.rock": "rock",
  "board.cell.vault": "vault",
  "board.cell.void": "void",
  "board.cell.trap": "trap {name}",
  "board.cell.bonus": "bonus {name}",
  "board.cell.reach": "in walking reach",
  "board.cell.target": "possible target",
  "board.cell.cast": "in the spell's range",
  "board.cell.zone": "start zone",
  "board.zoom.in": "Zoom in",
  "board.zoom.out": "Zoom out",
  "board.zoom.fit": "Show all",

  "error.title": "Nothing to show here",
  "error.network": "The server does not answer.",
  "error.unknown": "The server answers with an error: {message}",
  "error.not_found": "There is no such duel, or no longer.",
  "error.unauthorized": "This link opens no seat of this duel.",
  "error.forbidden": "A spectator only looks on.",
  "error.no_spectators": "This duel takes no spectators.",
  "error.not_your_turn": "It is not your turn.",
  "error.illegal_action": "This action is not allowed.",
  "error.stale": "The duel has gone on meanwhile: see where it stands.",
  "error.over": "The duel is over.",
  "error.not_over": "The duel is not over.",
  "error.rate_limited": "Too many requests: wait a moment.",
  "error.too_many_duels": "Too many running duels: finish one first.",
  "error.full": "The server is full.",
  "error.unavailable": "The server cannot do this now.",
  "error.invalid": "A setting is not valid: {message}",
  "error.closed": "The server closed the connection.",

  "help.title": "Controls",
  "help.arrows": "Arrows: move the cursor on the board",
  "help.enter": "Enter: take the cell, walk, or cast the chosen spell",
  "help.spells": "1 to 8: choose a spell",
  "help.escape": "Escape: put the spell away, close",
  "help.targets": "N and P: next, previous target",
  "help.end": "F or Space: end the turn",
  "help.raise": "S: raise; F or Space: do not follow",
  "help.log": "J: log",
  "help.help": "?: this help",
  "help.mouse": "Mouse: click a cell to walk; a spell, then a cell, to cast it",
  "help.touch": "Finger: a touch on a cell shows the way, another one takes it",
  "help.touch.spell": "Finger: a spell, then a cell: a touch shows the effect, another one casts it",
  "help.touch.look": "Finger: a touch on a fighter tells of it; a swipe moves the board",

  "aria.setup": "Settings of the duel",
  "aria.board": "Board",
  "aria.hud": "State of the duel",
  "aria.log": "Log of the duel",
  "aria.result": "Result",
  "aria.replay.controls": "Controls of the replay",
};

const WORDS: Record<Language, Record<Key, string>> = { fr: FR, en: EN };

// the names of a text's holes: "{n} {n:case|cases}" has n
type Hole<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? (Inside extends `${infer Name}:${string}` ? Name : Inside) | Hole<Rest>
  : never;
type Filling<K extends Key> = [Hole<(typeof FR)[K]>] extends [never]
  ? []
  : [params: Record<Hole<(typeof FR)[K]>, string | number>];

let current: Language = preferred();
const listeners = new Set<(chosen: Language) => void>();

function preferred(): Language {
  const stored = read();
  if (stored === "fr" || stored === "en") return stored;
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

// storage can be forbidden: the choice then lasts as long as the page
function read(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function store(chosen: Language): void {
  try {
    localStorage.setItem(STORED, chosen);
  } catch {
    return;
  }
}

/** The language that the interface speaks. */
export function language(): Language {
  return current;
}

/** Speak a language from now on, and remember it. */
export function setLanguage(chosen: Language): void {
  store(chosen);
  if (chosen === current) return;
  current = chosen;
  for (const listener of listeners) listener(chosen);
}

/** Be told of every change of the language; the answer stops it. */
export function onLanguage(callback: (chosen: Language) => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** The text of a key, its holes filled. */
export function t<K extends Key>(key: K, ...filling: Filling<K>): string {
  return unbroken(fill(WORDS[current][key], filling[0] ?? {}, current), current);
}

/** Whether there is a text of that name, for keys made of what the server sends. */
export function isKey(name: string): name is Key {
  return Object.hasOwn(FR, name);
}

/** A text with its holes filled: `{name}`, or `{n:one|many}` by the number n; French "de" elides. */
export function fill(
  text: string,
  params: Readonly<Record<string, string | number>>,
  spoken: Language,
): string {
  const choose = (_hole: string, of = "", name: string, one?: string, many?: string): string => {
    const value = params[name] ?? "";
    const chosen = one === undefined || many === undefined ? numeral(value, spoken) : isOne(Number(value), spoken) ? one : many;
    return of && spoken === "fr" && ELIDING.test(chosen) ? `d'${chosen}` : of + chosen;
  };
  return text.replace(/(\bde )?\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, choose);
}

/** A text in which no line begins with the signs that French sets apart; English sets none apart. */
export function unbroken(text: string, spoken: Language): string {
  return spoken === "fr" ? text.replace(/ (?=[:;?!%»])|(?<=«) /g, "\u00a0") : text.replace(/ (?=%)/g, "");
}

const GROUPED = 10_000; // from here on numbers are written in groups of three digits

// 135 424 in French, 135,424 in English, with a true minus; words stay what they are
function numeral(value: string | number, spoken: Language): string {
  if (typeof value === "string") return value;
  const digits = String(Math.abs(value));
  const written = Math.abs(value) < GROUPED ? digits : digits.replace(/\B(?=(\d{3})+$)/g, spoken === "fr" ? "\u202f" : ",");
  return value < 0 ? `−${written}` : written;
}

// what French puts "d'" before, not "de"
const ELIDING = /^[aeiouhàâæéèêëîïôœùûü]/i;

// French counts 0 and 1,5 as one
function isOne(count: number, spoken: Language): boolean {
  return spoken === "fr" ? Math.abs(count) < 2 : count === 1;
}

/** A cell as people call it: row letter and column number, as in `h12`. */
export function cellName(cell: readonly [number, number]): string {
  return `${String.fromCharCode(97 + cell[0])}${cell[1] + 1}`;
}

/** A text that the server has in both languages, in the one spoken. */
export function inLanguage(texts: Readonly<Record<Language, string>>): string {
  return texts[current];
}

/** The text of something in the catalogue, in the language spoken. */
export function described(thing: { text: string; texte: string }): string {
  return unbroken(current === "fr" ? thing.texte : thing.text, current);
}

/** A share with its sign: +15 % in French, +15% in English. */
export function percent(value: number): string {
  return unbroken(`${signed(value)} %`, current);
}

/** A number with its sign: +15, −25. */
export function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}
