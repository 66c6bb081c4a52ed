#!/usr/bin/perl
# An SMSC on Debian's libnet-smpp-perl, for tests: it reports a destination that ends with 7006 as undelivered.
# Writes its port, and then what it gets, as JSON lines; delivers the messages of phones that it is given as JSON lines.
use strict;
use warnings;
use Encode qw(decode);
use Encode::GSM0338;
use IO::Select;
use JSON::PP;
use Net::SMPP;

$| = 1;
$SIG{PIPE} = 'IGNORE';
my $json   = JSON::PP->new->canonical->ascii;
my $ids    = 0x3e8;
my $server = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34, listen => 20)
    or die "cannot listen: $!";
my $select = IO::Select->new($server, \*STDIN);
my $bound;
my $given = '';
sub say_json { print $json->encode({@_}), "\n" }
say_json(port => $server->sockport);

sub text_of {
    my ($pdu) = @_;
    my $octets = $pdu->{short_message};
    my $header = '';
    $header = substr $octets, 0, 1 + ord $octets, '' if $pdu->{esm_class} & 0x40;
    return (unpack('H*', $header), decode($pdu->{data_coding} == 8 ? 'UTF-16BE' : 'gsm0338', $octets));
}

sub submit {
    my ($link, $pdu) = @_;
    my $to = $pdu->{destination_addr};
    my ($header, $text) = text_of($pdu);
    say_json(submit => $to, header => $header, text => $text, from => $pdu->{source_addr});
    my ($suffix) = $to =~ /(\d{4})$/;
    my $id = $ids++;
    # The response has the id in hexadecimal, the report in decimal digits: some SMSCs do so.
    $link->submit_sm_resp(message_id => sprintf('%X', $id), seq => $pdu->{seq});
    my $state = $suffix eq '7006' ? 'UNDELIV' : 'DELIVRD';
    $link->deliver_sm(async => 1, source_addr => $to, destination_addr => $pdu->{source_addr}, esm_class => 4,
        short_message => sprintf 'id:%010d sub:001 dlvrd:001 submit date:2611210733 done date:2611210734 '
            . 'stat:%s err:000 text:', $id, $state);
    return 1;
}

sub deliver {
    my ($line) = @_;
    my $message = $json->decode($line);
    my ($reference, $total, $number) = @{ $message->{sar} || [] };
    my %sar = defined $reference
        ? (sar_msg_ref_num => pack('n', $reference), sar_total_segments => chr $total, sar_segment_seqnum => chr $number)
        : ();
    $bound->deliver_sm(async => 1, source_addr => $message->{from}, destination_addr => $message->{to},
        esm_class => $message->{esmClass}, data_coding => $message->{dataCoding},
        short_message => pack('H*', $message->{hex}), %sar);
}

my %answer = (
    0x01 => sub { $_[0]->bind_receiver_resp(system_id => 'perl', seq => $_[1]{seq}) },
    0x02 => sub { $_[0]->bind_transmitter_resp(system_id => 'perl', seq => $_[1]{seq}) },
    0x09 => sub { $bound = $_[0]; $_[0]->bind_transceiver_resp(system_id => 'perl', seq => $_[1]{seq}) },
    0x04 => \&submit,
    0x06 => sub { $_[0]->unbind_resp(seq => $_[1]{seq}); say_json(unbind => 1); 'drop' },
    0x15 => sub { $_[0]->enquire_link_resp(seq => $_[1]{seq}) },
    0x80000005 => sub { say_json(taken => $_[1]{status}) },
);

while (my @ready = $select->can_read) {
    for my $link (@ready) {
        if ($link == \*STDIN) {
            # Not <STDIN>: it would read lines ahead, which select does not see.
            $select->remove(\*STDIN) unless sysread STDIN, $given, 65_536, length $given;
            deliver($1) while $given =~ s/^(.*)\n//;
            next;
        }
        if ($link == $server) { $select->add($server->accept); next }
        my $pdu = $link->read_pdu;
        my $next = $pdu && ($answer{ $pdu->{cmd} } || sub { 1 })->($link, $pdu);
        next if defined $next && $next ne 'drop';
        $select->remove($link);
        close $link;
    }
}
