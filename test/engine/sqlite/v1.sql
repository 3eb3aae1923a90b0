-- A journal as version 1 wrote it. It stays as it is: later versions have to read it.
pragma application_id = 0x706c766d;
pragma user_version = 1;
create table content (
    hash text primary key,
    text text not null
  ) strict;
insert into content values('0c6340d0ceddb2aa6757efab90aea89460950e169c900908d058d53560b4df28',printf('%.*c', 4096, 'v'));
create table events (
    run text not null,
    seq integer not null,
    at integer not null,
    body text not null,
    large text,
    primary key (run, seq)
  ) strict, without rowid;
insert into events values('r1',1,1000001,'{"type":"run.started","run":{"id":"r1","createdAt":900000,"title":"plan.json","dialect":"stackvm-2","inputs":"{\"n\":[\"int\",\"90071992547409930\"]}","settings":"{}"}}',NULL);
insert into events values('r1',2,1000001,'{"type":"program.loaded","text":"[]","dialect":"stackvm-2","hash":"c0de","tools":"[]"}',NULL);
insert into events values('r1',3,1000001,'{"type":"effect.started","effect":"0#1","attempt":1,"tool":"search","step":"4@2","hash":"ab12","request":"{\"query\":\"rivers\"}","queuedAt":950000}',NULL);
insert into events values('r1',4,1000001,'{"type":"effect.settled","effect":"0#1","tool":"search","hash":"ab12","outcome":{"ok":true,"value":"{\"rivers\":[\"Loire\"]}"},"attempts":1,"startedAt":950001}',NULL);
insert into events values('r1',5,1000001,'{"type":"effect.settled","effect":"0#2","tool":"search","hash":"ab12","outcome":{"ok":false,"error":{"code":"PV4001","message":"no","hint":"yes"}},"attempts":1,"startedAt":950001,"usage":{"modelCalls":1,"inputTokens":20,"outputTokens":3,"cost":0.00125},"warnings":["mended a bracket"]}',NULL);
insert into events values('r1',6,1000002,'{"type":"effect.settled","effect":"0#9","tool":"search","hash":"ab12","outcome":{"ok":true,"value":""},"attempts":1,"startedAt":950001}','[[["outcome","value"],"0c6340d0ceddb2aa6757efab90aea89460950e169c900908d058d53560b4df28"]]');
insert into events values('r1',7,1000003,'{"type":"run.finished","result":"{\"answer\":\"Loire\"}"}',NULL);
create table records (
    run text primary key,
    record text not null,
    large text
  ) strict;
insert into records values('r1','{"id":"r1","createdAt":900000,"title":"plan.json","dialect":"stackvm-2","inputs":"{}","settings":"{}"}',NULL);
insert into records values('r2','{"id":"r2","createdAt":900001,"title":"count","dialect":"stackvm-2","inputs":"{}","settings":"{}"}',NULL);
create table runs (
    id text primary key,
    created_at integer not null,
    status text not null,
    reason text,
    updated_at integer not null,
    -- Number of events, which is the seq of the last one.
    events integer not null,
    -- The lease: null once it is released, else host:pid:start of the process that holds it.
    owner text,
    until integer not null,
    epoch integer not null,
    cancel_requested integer not null
  ) strict, without rowid;
insert into runs values('r1',900000,'done',NULL,1000003,7,NULL,1015003,1,0);
insert into runs values('r2',900001,'running',NULL,1000004,0,'web1:4711:99-3fa9c01b',1015004,1,0);
create index runs_by_age on runs (created_at, id);
create index runs_by_status on runs (status, created_at, id);
